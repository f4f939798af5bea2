import { formTokenIn, obtainCode, openSignedIn } from '../testing/browser';
import { bodyIn, introspect, pairIn, redeem, refresh } from '../testing/client';
import type { Auth } from '../testing/start-auth';
import {
  baseUrl,
  everything,
  introspectionSecret,
  seedApplication,
  seedPerson,
  startStore,
} from '../testing/start-auth';
import { accountRevision } from '@itsm/shared/stores/coordination/coordination';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import type { JSONWebKeySet } from 'jose';

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

/** Creates a person with an application's token, a refreshed one and a personal access token. */
async function seed() {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId);
  const browser = await openSignedIn(auth, person);
  const first = pairIn(await redeem(auth, application, await obtainCode(browser, application)));
  const second = pairIn(await refresh(auth, application, first.refresh_token));
  const expiresAt = new Date(auth.now().getTime() + 3_600_000);
  const input = { personId: person.id, name: 'Script', scopes: everything, expiresAt };
  const { token: personal } = await auth.app.operator.createPersonalAccessToken(input);
  return {
    person,
    application,
    browser,
    personal,
    refreshToken: second.refresh_token,
    accessTokens: [first.access_token, second.access_token],
  };
}

type Seeded = Awaited<ReturnType<typeof seed>>;

const areActive = async (tokens: readonly string[]) =>
  Promise.all(tokens.map(async (token) => (await introspect(auth, token)).active));
const revisionOf = async (accountId: string) =>
  (await auth.coordination.take([], [accountRevision(accountId)])).revisions[0];

async function revokeOnPage({ browser }: Seeded, what: RegExp): Promise<void> {
  const page = await browser.get('/oauth/profile');
  const action = what.exec(page.text)?.[1] ?? 'missing';
  await browser
    .post(action)
    .type('form')
    .send({ form_token: formTokenIn(page) })
    .expect(303);
}

const causes: [string, (seeded: Seeded) => Promise<unknown>][] = [
  [
    'the person revokes',
    (seeded) => revokeOnPage(seeded, /action="(\/oauth\/profile\/authorizations\/[\w-]+\/revoke)"/),
  ],
  [
    'the scopes of the application change',
    ({ person, application }) =>
      auth.app.services.applications.update(person.accountId, everything, application.id, { scopes: everything }),
  ],
  [
    'the token of the client is disabled',
    ({ person, application }) =>
      auth.app.services.clientTokens.update(
        person.accountId,
        everything,
        { clientId: application.clientId },
        { disabled: true },
      ),
  ],
  ['the token of the client is deleted', ({ person }) => seedApplication(auth, person.accountId)],
  [
    'the application is disabled',
    ({ person, application }) =>
      auth.app.services.applications.update(person.accountId, everything, application.id, { disabled: true }),
  ],
  ['the person is disabled', ({ person }) => auth.app.services.persons.disable(person.accountId, person.id)],
];

test.each(causes)('when %s every application token is inactive at once', async (cause, revoke) => {
  const seeded = await seed();
  const bystander = await seed();
  expect(await areActive(seeded.accessTokens)).toEqual([true, true]);
  const before = await revisionOf(seeded.person.accountId);
  await revoke(seeded);
  expect(await areActive(seeded.accessTokens)).toEqual([false, false]);
  expect(await revisionOf(seeded.person.accountId)).not.toBe(before);
  await refresh(auth, seeded.application, seeded.refreshToken).expect(400);
  expect(await areActive([seeded.personal])).toEqual([cause !== 'the person is disabled']);
  expect(await areActive(bystander.accessTokens)).toEqual([true, true]);
});

test('a personal token is inactive as soon as it is revoked', async () => {
  const seeded = await seed();
  const before = await revisionOf(seeded.person.accountId);
  await revokeOnPage(seeded, /action="(\/oauth\/profile\/personal-access-tokens\/\d+\/revoke)"/);
  expect(await areActive([seeded.personal, ...seeded.accessTokens])).toEqual([false, true, true]);
  expect(await revisionOf(seeded.person.accountId)).not.toBe(before);
});

test('a revocation that cannot be announced is written, but answered with an error', async () => {
  const broken = await store.start({
    coordination: {
      take: () => Promise.reject(new Error('out of reach')),
      bump: () => Promise.reject(new Error('out of reach')),
      time: () => Promise.reject(new Error('out of reach')),
      close: () => Promise.resolve(),
    },
  });
  const person = await seedPerson(broken);
  const application = await seedApplication(broken, person.accountId);
  const browser = await openSignedIn(broken, person);
  const { access_token } = pairIn(await redeem(broken, application, await obtainCode(browser, application)));
  const page = await browser.get('/oauth/profile');
  const action = /action="(\/oauth\/profile\/authorizations\/[\w-]+\/revoke)"/.exec(page.text)?.[1] ?? 'missing';
  for (let repeated = 0; repeated < 2; repeated += 1) {
    await browser
      .post(action)
      .type('form')
      .send({ form_token: formTokenIn(page) })
      .expect(503);
  }
  expect(await introspect(broken, access_token)).toEqual({ active: false });
});

test('a personal token acts as the person, and its rate limit is theirs', async () => {
  const { person, personal } = await seed();
  expect(await introspect(auth, personal)).toMatchObject({
    active: true,
    limit_key: `person:${person.id}`,
    accounts: [person.accountId],
    claims: { sub: String(person.id), kind: 'personal', application: null, scopes: everything },
  });
});

test('a token expires', async () => {
  const { personal, accessTokens } = await seed();
  auth.clock.offset = 3_600_000;
  expect(await areActive([personal, ...accessTokens])).toEqual([false, false, false]);
});

test('the caller JWT verifies against the JWKS, carries the claims and ends within a minute', async () => {
  const { person, accessTokens } = await seed();
  const { caller_token, claims } = await introspect(auth, accessTokens[0] ?? '');
  const body = bodyIn(await auth.http.get('/oauth/jwks').expect(200));
  const { payload, protectedHeader } = await jwtVerify(caller_token, createLocalJWKSet(body as JSONWebKeySet), {
    issuer: 'itsm-auth',
    audience: 'itsm-auth',
    typ: 'itsm-caller+jwt',
    algorithms: ['ES256'],
    currentDate: auth.now(),
  });
  expect(protectedHeader.kid).toBe((body as JSONWebKeySet).keys[0]?.kid);
  expect(payload).toMatchObject(claims);
  expect(payload).toMatchObject({
    sub: String(person.id),
    accounts: { [person.accountId]: ['account_administrator'] },
  });
  expect((payload.exp ?? 0) - auth.now().getTime() / 1000).toBeLessThanOrEqual(60);
});

test('the gateway gets the audience of a token', async () => {
  const { accessTokens, personal } = await seed();
  for (const token of [...accessTokens, personal])
    expect(await introspect(auth, token)).toMatchObject({ aud: baseUrl });
});

test('each service gets its own caller JWT', async () => {
  const { person, accessTokens } = await seed();
  const { caller_tokens } = await introspect(auth, accessTokens[0] ?? '');
  const audiences = Object.values(caller_tokens).map((token) => decodeJwt(token).aud);
  expect(audiences).toEqual(['auth', 'graph', 'webhooks', 'webhook-delivery', 'ui-extensions'].map((s) => `itsm-${s}`));
  const ask = (token = '') =>
    auth.http
      .post('/graphql')
      .set({ Authorization: `Bearer ${token}`, 'X-Service-Account': person.accountId })
      .send({ query: '{ me { id } }' });
  await ask(caller_tokens['auth']).expect(200);
  await ask(caller_tokens['graph']).expect(401);
});

test('the caller JWT does not outlive the token', async () => {
  const { accessTokens } = await seed();
  auth.clock.offset = 3_600_000 - 20_000;
  const { claims } = await introspect(auth, accessTokens[0] ?? '');
  expect(Number(claims['exp']) * 1000 - auth.now().getTime()).toBeLessThanOrEqual(20_000);
});

test('what is not an access token is inactive', async () => {
  const { refreshToken, application } = await seed();
  for (const token of [
    '',
    'x',
    'a'.repeat(5000),
    refreshToken,
    application.clientSecret,
    'itsm_at_' + '0'.repeat(49),
  ]) {
    expect(await introspect(auth, token)).toEqual({ active: false });
  }
});

test.each([undefined, 'Bearer ', 'Bearer wrong', `Basic ${introspectionSecret}`, introspectionSecret])(
  'the authorization %s does not open introspection',
  async (authorization) => {
    const call = auth.http.post('/internal/introspect').send({ token: 'x' });
    const response = await (authorization === undefined ? call : call.set('Authorization', authorization));
    expect(response.status).toBe(401);
    expect(response.body).toEqual({ message: 'Unauthorized' });
  },
);

test('during a rotation the former secret is accepted too', async () => {
  const next = 'the secret that takes the place of the former';
  const { http } = await store.start({ settings: { INTROSPECTION_SECRET: `${next},${introspectionSecret}` } });
  const statusWith = async (secret: string) =>
    (await http.post('/internal/introspect').set('Authorization', `Bearer ${secret}`).send({ token: 'x' })).status;
  expect(await Promise.all([next, introspectionSecret, `${next},${introspectionSecret}`].map(statusWith))).toEqual([
    200, 200, 401,
  ]);
});

test('a malformed introspection request is refused', async () => {
  const post = () => auth.http.post('/internal/introspect').set('Authorization', `Bearer ${introspectionSecret}`);
  await post()
    .send({ token: { $ne: null } })
    .expect(400);
  await post().type('form').send('token=a').expect(415);
  await post().set('Content-Type', 'application/json').send('{').expect(400);
  const unclear = Buffer.from('{"token":"\xff"}', 'latin1') as unknown as string;
  await post()
    .set('Content-Type', 'application/json')
    .serialize(() => unclear)
    .send({})
    .expect(400, { message: 'The text is not UTF-8: byte 10' });
  await post()
    .send({ token: 'a\u0000' })
    .expect(400, { message: '`token` has the control character U+0000 at position 1' });
  await post()
    .send({ token: 'a'.repeat(20_000) })
    .expect(413);
  await post().send({ token: 'x' }).expect(200, { active: false });
});

test('the signing key outlives a restart, and its private part is sealed', async () => {
  const first = await auth.http.get('/oauth/jwks');
  const replica = await store.start({ database: auth.database });
  expect((await replica.http.get('/oauth/jwks')).body).toEqual(first.body);
  expect(JSON.stringify(first.body)).not.toContain('"d"');
  const [stored] = await auth.connection.collection('signing_keys').find().toArray();
  expect(JSON.stringify(stored)).not.toContain('PRIVATE KEY');
});
