import { bodyIn, introspect, requestToken } from '../testing/client';
import type { Auth, SeededApplication } from '../testing/start-auth';
import { everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start();
});
afterAll(() => store.close());
afterEach(() => {
  auth.clock.offset = 0;
});

async function seed() {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId, {
    grantTypes: ['client_credentials'],
    actsAsPersonId: person.id,
  });
  return { person, application };
}

const request = (application: SeededApplication, more: object = {}) =>
  requestToken(auth, application, { grant_type: 'client_credentials', ...more });
const tokenOf = async (application: SeededApplication) =>
  (bodyIn(await request(application).expect(200)) as { access_token: string }).access_token;

test('RFC 6749 §4.4.3: the answer has an access token for an hour and no refresh token', async () => {
  const { application } = await seed();
  const response = await request(application).expect(200);
  expect(response.body).toEqual({
    access_token: expect.stringMatching(/^itsm_xt_/) as string,
    token_type: 'bearer',
    expires_in: 3600,
    scope: 'me:Name person:Read',
  });
  expect(response.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
});

test('the application acts as the person it is linked to, with its own scopes', async () => {
  // One more, because people and applications are both numbered from 1.
  await seedPerson(auth);
  const { person, application } = await seed();
  expect(person.id).not.toBe(application.id);
  expect(await introspect(auth, await tokenOf(application))).toMatchObject({
    active: true,
    limit_key: `application:${application.id}:person:${person.id}`,
    claims: {
      sub: String(person.id),
      kind: 'exchange',
      application: application.id,
      scopes: [{ effect: 'allow', actions: ['me:Name', 'person:Read'] }],
    },
  });
});

test('RFC 6749 §4.4.2: scope narrows the token, and the answer says what was granted', async () => {
  const { application } = await seed();
  const { body } = await request(application, { scope: 'person:* task:Read' }).expect(200);
  expect(body).toMatchObject({ scope: 'person:Read' });
  const { claims } = await introspect(auth, (body as { access_token: string }).access_token);
  expect(claims['scopes']).toEqual([{ effect: 'allow', actions: ['person:Read'] }]);
});

test('the person may be one of the directory account', async () => {
  const directory = await seedPerson(auth);
  const accountId = `${directory.accountId}x`;
  const { accountId: directoryAccountId } = directory;
  await auth.app.operator.ensureAccount({ id: accountId, name: 'Branch', directoryAccountId });
  const application = await seedApplication(auth, accountId, {
    grantTypes: ['client_credentials'],
    actsAsPersonId: directory.id,
  });
  expect((await introspect(auth, await tokenOf(application))).claims['home']).toBe(directoryAccountId);
});

test('RFC 6749 §5.2 unauthorized_client: the grant is not enabled, or the application is linked to no person', async () => {
  const { person } = await seed();
  const without = await seedApplication(auth, person.accountId, { name: 'Other', actsAsPersonId: person.id });
  const unlinked = await seedApplication(auth, person.accountId, {
    name: 'Unlinked',
    grantTypes: ['client_credentials'],
  });
  for (const application of [without, unlinked]) {
    expect((await request(application).expect(400)).body).toMatchObject({ error: 'unauthorized_client' });
  }
});

test('RFC 6749 §5.2 invalid_grant: the person is disabled', async () => {
  const { person, application } = await seed();
  const token = await tokenOf(application);
  await auth.app.services.persons.disable(person.accountId, person.id);
  expect((await request(application).expect(400)).body).toMatchObject({ error: 'invalid_grant' });
  expect(await introspect(auth, token)).toEqual({ active: false });
});

test('RFC 6749 §5.2 invalid_client: a wrong secret gets nothing', async () => {
  const { application } = await seed();
  const body = bodyIn(await request(application, { client_secret: 'wrong' }).expect(400));
  expect(body).toMatchObject({ error: 'invalid_client' });
});

test('the token dies with the scopes it was granted for and with its hour', async () => {
  const { person, application } = await seed();
  const former = await tokenOf(application);
  const settings = { grantTypes: ['client_credentials'] as const, actsAsPersonId: person.id, scopes: everything };
  const changed = await seedApplication(auth, person.accountId, settings);
  expect(await introspect(auth, former)).toEqual({ active: false });
  const present = await tokenOf(changed);
  expect(await introspect(auth, present)).toMatchObject({ active: true });
  auth.clock.offset = 3_600_000;
  expect(await introspect(auth, present)).toEqual({ active: false });
});
