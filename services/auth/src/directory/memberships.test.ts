import { openSignedIn } from '../testing/browser';
import { call, nodeId } from '../testing/caller';
import { bodyIn, introspect } from '../testing/client';
import { consoleSettings, consoleTokenOf } from '../testing/console';
import type { Auth } from '../testing/start-auth';
import { seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start({ settings: consoleSettings });
});
afterAll(() => store.close());

const text = '{ me { id memberships { account { accountID name disabled } roles } } }';

async function seed() {
  const person = await seedPerson(auth);
  const other = await seedPerson(auth);
  await auth.app.operator.ensureAccount({ id: other.accountId, name: 'Aardvark' });
  await auth.app.operator.giveRoles(person.accountId, person.email, other.accountId, ['specialist', 'auditor']);
  return { person, other };
}

const membershipsIn = (data: Record<string, unknown> | null): unknown[] =>
  (data?.['me'] as { memberships: unknown[] }).memberships;

test('a person sees the accounts in which they have roles, by name, whichever account is selected', async () => {
  const { person, other } = await seed();
  for (const { accountId } of [person, other]) {
    const { data, errors } = await call(auth, person, text, {}, { accountId });
    expect(errors).toBeUndefined();
    expect(membershipsIn(data)).toEqual([
      { account: { accountID: other.accountId, name: 'Aardvark', disabled: false }, roles: ['specialist', 'auditor'] },
      {
        account: { accountID: person.accountId, name: `Account ${person.accountId}`, disabled: false },
        roles: ['account_administrator'],
      },
    ]);
  }
});

test('the console asks for them', async () => {
  const { person } = await seed();
  const { caller_token } = await introspect(auth, await consoleTokenOf(auth, await openSignedIn(auth, person)));
  const headers = { Authorization: `Bearer ${caller_token}`, 'X-Service-Account': person.accountId };
  const { data } = bodyIn(await auth.http.post('/graphql').set(headers).send({ query: text })) as {
    data: Record<string, unknown>;
  };
  expect(membershipsIn(data)).toHaveLength(2);
});

test('a disabled account, or one where the roles were removed, is not among them', async () => {
  const { person, other } = await seed();
  await auth.app.operator.setAccountDisabled(other.accountId, true);
  expect(membershipsIn((await call(auth, person, text)).data)).toHaveLength(1);
});

test('a token that does not reach an account does not name it', async () => {
  const { person, other } = await seed();
  await auth.app.operator.ensureAccount({
    id: other.accountId,
    name: 'Aardvark',
    directoryAccountId: person.accountId,
  });
  const { clientId, clientSecret } = await seedApplication(auth, other.accountId, {
    grantTypes: ['client_credentials'],
    redirectUris: [],
    actsAsPersonId: person.id,
  });
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const answer = await auth.http.post('/oauth/token').type('form').send(form).expect(200);
  const { caller_token } = await introspect(auth, (answer.body as { access_token: string }).access_token);
  const headers = { Authorization: `Bearer ${caller_token}`, 'X-Service-Account': other.accountId };
  const { data } = bodyIn(await auth.http.post('/graphql').set(headers).send({ query: text })) as {
    data: Record<string, unknown>;
  };
  expect(membershipsIn(data)).toEqual([
    expect.objectContaining({ account: expect.objectContaining({ accountID: other.accountId }) as object }),
  ]);
});

test('those of another person are forbidden, also to administrators', async () => {
  const { person } = await seed();
  const colleague = await seedPerson(auth, { accountId: person.accountId, roles: ['end_user'] });
  const query = 'query ($id: ID!) { person(id: $id) { name memberships { roles } } }';
  const { data, errors } = await call(auth, person, query, { id: nodeId('Person', colleague.id) });
  expect(data).toEqual({ person: null });
  expect(errors).toMatchObject([{ message: 'Forbidden', extensions: { code: 'FORBIDDEN' } }]);
  const own = await call(auth, person, query, { id: nodeId('Person', person.id) });
  expect(own.data).toMatchObject({ person: { memberships: [{}, {}] } });
});

test('they need the scope of `me`', async () => {
  const { person } = await seed();
  const { data, errors } = await call(
    auth,
    person,
    text,
    {},
    { scopes: [{ effect: 'allow', actions: ['account:*'] }] },
  );
  expect(data).toEqual({ me: null });
  expect(errors).toMatchObject([{ message: 'Missing required scope(s): me:Name', extensions: { code: 'FORBIDDEN' } }]);
});
