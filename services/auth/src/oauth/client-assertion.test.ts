import { randomUUID } from 'node:crypto';
import { SignJWT, UnsecuredJWT, base64url } from 'jose';
import type { JWTPayload } from 'jose';
import { assertionOf, byAssertion, keySetOf } from '../testing/assertion';
import { bodyIn, pairIn, requestToken } from '../testing/client';
import type { LocalKey, LocalProvider } from '../testing/local-provider';
import { json, makeKey, startLocalProvider } from '../testing/local-provider';
import type { Auth, SeededApplication } from '../testing/start-auth';
import { baseUrl, everything, seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
let replica: Auth;
let key: LocalKey;
let other: LocalKey;
let provider: LocalProvider;
beforeAll(async () => {
  store = await startStore();
  auth = await store.start({ settings: { ALLOW_INSECURE_PROVIDERS: 'true' } });
  replica = await store.start({ database: auth.database, settings: { ALLOW_INSECURE_PROVIDERS: 'true' } });
  [key, other] = [await makeKey('ES256'), await makeKey('ES256')];
  provider = await startLocalProvider([key]);
});
afterAll(async () => {
  await store.close();
  await provider.close();
});
afterEach(() => {
  auth.clock.offset = 0;
});

async function seed(more: object = {}): Promise<SeededApplication & { readonly accountId: string }> {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId, {
    grantTypes: ['client_credentials'],
    actsAsPersonId: person.id,
    jwks: keySetOf(key),
    ...more,
  });
  return { ...application, accountId: person.accountId };
}

const grant = { grant_type: 'client_credentials' };
const ask = (application: SeededApplication, assertion: string, more: object = {}, on = auth) =>
  requestToken(on, application, { ...grant, ...byAssertion(assertion), ...more });

const seconds = (offset: number): number => Math.floor(auth.now().getTime() / 1000) + offset;

/** The reason of the failure in the account's security log. */
const reasonIn = async ({ clientId }: SeededApplication): Promise<unknown> => {
  const entry = await auth.connection.collection('security_log').findOne({ event: 'client.failed', clientId });
  return (entry?.['facts'] as { because?: unknown } | undefined)?.because;
};

const refusal = {
  error: 'invalid_client',
  error_description: 'The client is unknown, its assertion does not count, or it is disabled',
};

test.each(['ES256', 'PS256', 'RS256', 'EdDSA', 'Ed25519'])(
  'RFC 7523 §3: an assertion signed with %s counts',
  async (alg) => {
    const own = await makeKey(alg);
    const application = await seed({ jwks: keySetOf(own) });
    const { body } = await ask(application, await assertionOf(auth, own, application.clientId)).expect(200);
    expect(body).toHaveProperty('access_token');
  },
);

test('client_id may be sent too, and with one key no kid is needed', async () => {
  const application = await seed();
  const assertion = await assertionOf(auth, key, application.clientId, {}, { kid: undefined });
  await ask(application, assertion, { client_id: application.clientId }).expect(200);
});

test('with several keys a kid is required and selects the key', async () => {
  const application = await seed({ jwks: keySetOf(other, key) });
  await ask(application, await assertionOf(auth, key, application.clientId)).expect(200);
  await ask(application, await assertionOf(auth, key, application.clientId, {}, { kid: undefined })).expect(401);
  await ask(application, await assertionOf(auth, key, application.clientId, {}, { kid: 'nothing' })).expect(401);
});

test('assertions authenticate at introspection and revocation too', async () => {
  const application = await seed();
  const token = pairIn(await ask(application, await assertionOf(auth, key, application.clientId))).access_token;
  const at = async (path: string) =>
    auth.http
      .post(path)
      .type('form')
      .send({ ...byAssertion(await assertionOf(auth, key, application.clientId)), token });
  expect((await at('/oauth/introspect')).body).toMatchObject({ active: true, client_id: application.clientId });
  expect((await at('/oauth/revoke')).status).toBe(200);
  expect((await at('/oauth/introspect')).body).toEqual({ active: false });
});

const claims: [string, () => Record<string, unknown>, RegExp][] = [
  ['without iss', () => ({ iss: undefined }), /^iss or sub/],
  ['of another iss', () => ({ iss: 'somebody' }), /^iss or sub/],
  ['without aud', () => ({ aud: undefined }), /^aud/],
  ['for another server', () => ({ aud: 'https://other.example' }), /^aud/],
  ['for the token endpoint', () => ({ aud: `${baseUrl}/oauth/token` }), /^aud/],
  ['for the issuer in a list', () => ({ aud: [baseUrl] }), /^aud/],
  ['for the issuer and another', () => ({ aud: [baseUrl, 'https://other.example'] }), /^aud/],
  ['for the issuer with a slash', () => ({ aud: `${baseUrl}/` }), /^aud/],
  ['without exp', () => ({ exp: undefined }), /no exp/],
  ['that has expired', () => ({ exp: seconds(-31) }), /"exp" claim timestamp check failed/],
  ['for more than five minutes', () => ({ exp: seconds(331) }), /more than 300 s ahead/],
  ['of the future', () => ({ iat: seconds(40) }), /iat/],
  ['that is not valid yet', () => ({ nbf: seconds(40) }), /"nbf" claim timestamp check failed/],
  ['without jti', () => ({ jti: undefined }), /no jti/],
  ['with an empty jti', () => ({ jti: '' }), /no jti/],
  ['with a jti that is no text', () => ({ jti: 7 }), /no jti/],
  ['with a jti that is too long', () => ({ jti: 'j'.repeat(256) }), /jti of the assertion is too long/],
];
test.each(claims)('an assertion %s is refused, and only the security log says why', async (_name, more, because) => {
  const application = await seed();
  const assertion = await assertionOf(auth, key, application.clientId, more());
  const response = await ask(application, assertion).expect(401);
  expect(response.body).toEqual(refusal);
  expect(response.headers).toHaveProperty('www-authenticate');
  expect(await reasonIn(application)).toMatch(because);
});

const forged: [string, (clientId: string) => Promise<string> | string, RegExp][] = [
  ['without signature (none)', (id) => new UnsecuredJWT(usual(id)).encode(), /algorithm/],
  [
    'signed with the public key as a shared secret (HS256)',
    (id) => new SignJWT(usual(id)).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(JSON.stringify(key.jwk))),
    /algorithm/,
  ],
  ['signed with another key', (id) => assertionOf(auth, other, id, {}, { kid: key.jwk.kid ?? '' }), /signature/],
  ['signed with an unknown key', (id) => assertionOf(auth, other, id), /not among those/],
  [
    'that brings its own key',
    (id) => assertionOf(auth, other, id, {}, { kid: undefined, jwk: other.jwk }),
    /signature verification failed/,
  ],
  ['with critical headers', (id) => critical(id), /crit|Extension/],
  ['of another type', (id) => assertionOf(auth, key, id, {}, { typ: 'dpop+jwt' }), /another type/],
  ['whose header is no JSON', (id) => `x.${base64url.encode(JSON.stringify(usual(id)))}.x`, /not a signed JWT/],
];
function usual(clientId: string): JWTPayload {
  const at = seconds(0);
  return { iss: clientId, sub: clientId, aud: baseUrl, jti: randomUUID(), iat: at, exp: at + 60 };
}
const critical = (clientId: string): Promise<string> =>
  new SignJWT(usual(clientId))
    .setProtectedHeader({ alg: 'ES256', kid: key.jwk.kid ?? '', crit: ['urn:x'], 'urn:x': 1 })
    .sign(key.privateKey, { crit: { 'urn:x': true } });

test.each(forged)('an assertion %s is refused', async (_name, make, because) => {
  const application = await seed();
  const { body } = await ask(application, await make(application.clientId)).expect(401);
  expect(body).toEqual(refusal);
  expect(await reasonIn(application)).toMatch(because);
});

test('an ES256 signature is refused under a header with another algorithm', async () => {
  const application = await seed();
  const [, payload = '', signature = ''] = (await assertionOf(auth, key, application.clientId)).split('.');
  const header = base64url.encode(JSON.stringify({ alg: 'RS256', kid: key.jwk.kid }));
  await ask(application, `${header}.${payload}.${signature}`).expect(401);
  expect(await reasonIn(application)).toMatch(/not among those/);
});

test("another client's key or assertion is refused", async () => {
  const [one, two] = [await seed(), await seed({ jwks: keySetOf(other) })];
  await ask(one, await assertionOf(auth, other, one.clientId)).expect(401);
  const ofTwo = await assertionOf(auth, other, two.clientId);
  const { body } = await ask(one, ofTwo, { client_id: one.clientId }).expect(400);
  expect(body).toMatchObject({ error: 'invalid_request' });
  await ask(one, await assertionOf(auth, key, one.clientId, { sub: two.clientId })).expect(401);
  await ask(two, ofTwo).expect(200);
});

test('an application without keys refuses assertions', async () => {
  const application = await seed({ jwks: null });
  await ask(application, await assertionOf(auth, key, application.clientId)).expect(401);
});

test('an unknown client gets the same error', async () => {
  const { body } = await ask(await seed(), await assertionOf(auth, key, 'nobody')).expect(401);
  expect(body).toEqual(refusal);
});

test('an assertion is accepted once over all replicas; of concurrent uses one succeeds', async () => {
  const application = await seed();
  const assertion = await assertionOf(auth, key, application.clientId);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => ask(application, assertion, {}, index % 2 ? replica : auth)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 401)]);
  expect(await reasonIn(application)).toBe('the assertion was used before');
  // The same `jti` under a new signature is a replay too.
  const jti = randomUUID();
  await ask(application, await assertionOf(auth, key, application.clientId, { jti })).expect(200);
  await ask(application, await assertionOf(auth, key, application.clientId, { jti, exp: seconds(90) })).expect(401);
});

test('concurrent uses of one assertion are refused as the client’s mistake, while the clock goes on', async () => {
  let milliseconds = 0;
  // Every look at the clock is a millisecond later, so that counts of failures decay between two of them.
  for (const { clock } of [auth, replica])
    Object.defineProperty(clock, 'offset', { configurable: true, get: () => (milliseconds += 1), set: () => {} });
  const application = await seed();
  const assertion = await assertionOf(auth, key, application.clientId);
  const asks = Array.from({ length: 8 }, (_, index) => ask(application, assertion, {}, index % 2 ? replica : auth));
  const answers = await Promise.all(asks);
  for (const { clock } of [auth, replica])
    Object.defineProperty(clock, 'offset', { configurable: true, writable: true, value: 0 });
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 401)]);
});

test('a jti is unique per client', async () => {
  const jti = randomUUID();
  for (const application of [await seed(), await seed()]) {
    await ask(application, await assertionOf(auth, key, application.clientId, { jti })).expect(200);
  }
});

test('a refused assertion is not used up', async () => {
  const application = await seed();
  const jti = randomUUID();
  await ask(application, await assertionOf(auth, key, application.clientId, { jti, aud: 'x' })).expect(401);
  await ask(application, await assertionOf(auth, key, application.clientId, { jti })).expect(200);
});

test('two authentication methods in one request are an invalid request', async () => {
  const application = await seed();
  const assertion = await assertionOf(auth, key, application.clientId);
  const withSecret = await ask(application, assertion, { client_secret: application.clientSecret }).expect(400);
  const withBasic = await ask(application, assertion).auth(application.clientId, application.clientSecret).expect(400);
  for (const { body } of [withSecret, withBasic]) {
    expect(body).toEqual({
      error: 'invalid_request',
      error_description: 'The client must authenticate in one way only',
    });
  }
  await ask(application, assertion).expect(200);
});

test('assertion parameters must come together and have limits', async () => {
  const application = await seed();
  const assertion = await assertionOf(auth, key, application.clientId);
  const saml = 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer';
  for (const more of [
    { client_assertion_type: undefined },
    { client_assertion: undefined },
    { client_assertion_type: saml },
    { client_assertion: 'x'.repeat(8_193) },
  ]) {
    const { body } = await ask(application, assertion, more).expect(400);
    expect(body).toMatchObject({ error: 'invalid_request' });
  }
  for (const text of ['no jwt', 'x'.repeat(8_192)])
    expect((await ask(application, assertion, { client_assertion: text }).expect(401)).body).toEqual(refusal);
  const large = await ask(application, assertion, { more: 'x'.repeat(70_000) }).expect(413);
  expect(bodyIn(large)).toMatchObject({ error: 'invalid_request' });
  await ask(application, assertion).expect(200);
});

test('when private_key_jwt is required, the right secret is refused and an assertion accepted', async () => {
  const application = await seed({ privateKeyJwtRequired: true });
  const { body } = await requestToken(auth, application, grant).expect(400);
  expect(body).toMatchObject({ error: 'invalid_client' });
  expect(await reasonIn(application)).toBe('a secret, but the application must use its keys');
  await ask(application, await assertionOf(auth, key, application.clientId)).expect(200);
});

test('a secret is accepted beside keys, unless private_key_jwt is required', async () => {
  await requestToken(auth, await seed(), grant).expect(200);
});

test('a disabled client token is refused', async () => {
  const { accountId, ...application } = await seed();
  const { clientTokens } = auth.app.services;
  await clientTokens.update(accountId, everything, { clientId: application.clientId }, { disabled: true });
  await ask(application, await assertionOf(auth, key, application.clientId)).expect(401);
});

test('after ten invalid assertions the client is throttled, and a valid one is still accepted', async () => {
  const application = await seed();
  const bad = async () => ask(application, await assertionOf(auth, key, application.clientId, { aud: 'x' }));
  for (let failed = 0; failed < 10; failed += 1) expect((await bad()).status).toBe(401);
  expect((await bad()).status).toBe(429);
  await ask(application, await assertionOf(auth, key, application.clientId)).expect(200);
});

test('a token exchange answers invalid_request, as for every wrong client', async () => {
  const application = await seed();
  const { body } = await ask(application, await assertionOf(auth, key, application.clientId, { aud: 'x' }), {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: 'a.b.c',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  }).expect(400);
  expect(body).toMatchObject({ error: 'invalid_request' });
});

test('keys are fetched from jwks_uri and cached; a new key is found, and a failure is a refusal', async () => {
  const application = await seed({ jwks: null, jwksUri: `${provider.issuer}/keys` });
  const asked = provider.calls.keySet;
  for (let times = 0; times < 3; times += 1) {
    await ask(application, await assertionOf(auth, key, application.clientId)).expect(200);
  }
  expect(provider.calls.keySet).toBe(asked + 1);
  await ask(application, await assertionOf(auth, other, application.clientId)).expect(401);
  provider.publish([key, other]);
  auth.clock.offset = 61_000;
  await ask(application, await assertionOf(auth, other, application.clientId)).expect(200);
  const gone = await seed({ jwks: null, jwksUri: `${provider.issuer}/gone/keys` });
  provider.answers.keySet = json({ no: 'keys' });
  await ask(gone, await assertionOf(auth, key, gone.clientId)).expect(401);
  expect(await reasonIn(gone)).toMatch(/could not be fetched/);
});

test('nothing is fetched for an assertion that is invalid anyway', async () => {
  const application = await seed({ jwks: null, jwksUri: `${provider.issuer}/idle/keys` });
  const asked = provider.calls.keySet;
  await ask(application, await assertionOf(auth, key, application.clientId, { aud: 'x' })).expect(401);
  expect(provider.calls.keySet).toBe(asked);
});

test('internal addresses are not fetched', async () => {
  const strict = await store.start();
  const person = await seedPerson(strict);
  const application = await seedApplication(strict, person.accountId, {
    grantTypes: ['client_credentials'],
    actsAsPersonId: person.id,
    jwksUri: `${provider.issuer}/keys`,
  });
  const asked = provider.calls.keySet;
  await ask(application, await assertionOf(strict, key, application.clientId), {}, strict).expect(401);
  expect(provider.calls.keySet).toBe(asked);
});
