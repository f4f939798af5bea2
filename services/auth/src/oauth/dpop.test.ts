import { makeDpopKey, proofOf } from '@itsm/shared/testing/dpop';
import type { DpopKey } from '@itsm/shared/testing/dpop';
import { tokenExchange } from '../clients/grant-types';
import { assertionOf, byAssertion, keySetOf } from '../testing/assertion';
import { answerIn, authorizeQuery, decide, obtainCode, openSignedIn } from '../testing/browser';
import type { Browser } from '../testing/browser';
import { introspect, pairIn, redeem, refresh, requestToken } from '../testing/client';
import { claimsFor, exchange, seedExchange } from '../testing/exchange';
import type { LocalProvider } from '../testing/local-provider';
import { makeKey, sign, startLocalProvider } from '../testing/local-provider';
import type { Auth, SeededApplication } from '../testing/start-auth';
import { baseUrl, seedApplication, seedPerson, startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
let replica: Auth;
let key: DpopKey;
let other: DpopKey;
let provider: LocalProvider;
const providerKey = makeKey();
beforeAll(async () => {
  store = await startStore();
  auth = await store.start({ settings: { ALLOW_INSECURE_PROVIDERS: 'true' } });
  replica = await store.start({ database: auth.database });
  [key, other] = [await makeDpopKey(), await makeDpopKey()];
  provider = await startLocalProvider([await providerKey]);
});
afterAll(async () => {
  await store.close();
  await provider.close();
});
afterEach(() => {
  auth.clock.offset = 0;
});

const endpoint = `${baseUrl}/oauth/token`;
const prove = (by: DpopKey = key, more: object = {}) =>
  proofOf(by, { method: 'POST', address: endpoint, now: auth.now(), ...more });

async function seed() {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId, {
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    actsAsPersonId: person.id,
  });
  return { person, application, browser: await openSignedIn(auth, person) };
}

const grant = { grant_type: 'client_credentials' };
const kind = ({ body }: { body: unknown }): string => (body as { token_type: string }).token_type;
const boundTo = async (token: string) => ((await introspect(auth, token)) as { cnf?: unknown }).cnf;
const codeOf = async (browser: Browser, application: SeededApplication, more: Record<string, string> = {}) =>
  obtainCode(browser, application, more);

test('RFC 9449 §5: a code redeemed with a proof gives a token bound to the key, and without one a bearer token', async () => {
  const { application, browser } = await seed();
  const bound = await redeem(auth, application, await codeOf(browser, application)).set('DPoP', await prove());
  expect([bound.status, kind(bound)]).toEqual([200, 'DPoP']);
  expect(await boundTo(pairIn(bound).access_token)).toEqual({ jkt: key.jkt });
  const free = await redeem(auth, application, await codeOf(browser, application)).expect(200);
  expect(kind(free)).toBe('bearer');
  expect(await boundTo(pairIn(free).access_token)).toBeUndefined();
});

test('each refresh binds its access token to the key of its own proof, or to none', async () => {
  const { application, browser } = await seed();
  const first = pairIn(await redeem(auth, application, await codeOf(browser, application)).set('DPoP', await prove()));
  const second = await refresh(auth, application, first.refresh_token).set('DPoP', await prove(other));
  expect(kind(second)).toBe('DPoP');
  expect(await boundTo(pairIn(second).access_token)).toEqual({ jkt: other.jkt });
  const third = await refresh(auth, application, pairIn(second).refresh_token).expect(200);
  expect(kind(third)).toBe('bearer');
  expect(await boundTo(first.access_token)).toEqual({ jkt: key.jkt });
});

test('a repeated refresh gets the identical pair only with the same key', async () => {
  const { application, browser } = await seed();
  const first = pairIn(await redeem(auth, application, await codeOf(browser, application)).set('DPoP', await prove()));
  const second = await refresh(auth, application, first.refresh_token).set('DPoP', await prove());
  const again = await refresh(replica, application, first.refresh_token).set('DPoP', await prove());
  expect(again.body).toEqual(second.body);
  const withOther = await refresh(auth, application, first.refresh_token).set('DPoP', await prove(other));
  const withNone = await refresh(auth, application, first.refresh_token);
  for (const { status, body } of [withOther, withNone]) {
    expect([status, (body as { error: string }).error]).toEqual([400, 'invalid_grant']);
  }
  expect(await introspect(auth, pairIn(second).access_token)).toMatchObject({ active: true });
});

test('client credentials and token exchange bind their tokens too', async () => {
  const { application } = await seed();
  const own = await requestToken(auth, application, grant).set('DPoP', await prove());
  expect([kind(own), await boundTo(pairIn(own).access_token)]).toEqual(['DPoP', { jkt: key.jkt }]);
  const seeded = await seedExchange(auth, { issuer: provider.issuer, application: { grantTypes: [tokenExchange] } });
  const subject = await sign(await providerKey, claimsFor(auth, provider.issuer, seeded.person));
  const exchanged = await exchange(auth, seeded.application, subject).set('DPoP', await prove());
  expect([kind(exchanged), await boundTo(pairIn(exchanged).access_token)]).toEqual(['DPoP', { jkt: key.jkt }]);
});

const bad: [string, (jwt: () => Promise<string>) => Promise<string>, RegExp][] = [
  ['for another method', () => prove(key, { method: 'GET' }), /htm/],
  ['for another address', () => prove(key, { address: `${baseUrl}/graphql` }), /htu/],
  [
    'for the address that only the service inside has',
    () => prove(key, { address: 'http://auth:4001/oauth/token' }),
    /htu/,
  ],
  ['that is old', () => prove(key, { now: new Date(auth.now().getTime() - 122_000) }), /too old/],
  ['of the future', () => prove(key, { now: new Date(auth.now().getTime() + 33_000) }), /future/],
  ['without jti', () => prove(key, { claims: { jti: undefined } }), /jti/],
  ['of another type', () => prove(key, { header: { typ: 'JWT' } }), /not a JWT/],
  ['that another key has signed', () => prove(key, { header: { jwk: other.jwk } }), /not a JWT/],
  ['that is no proof', () => Promise.resolve('proof'), /not a JWT/],
];
test.each(bad)(
  'a proof %s is refused as invalid_dpop_proof, and does not use up the code',
  async (_name, make, because) => {
    const { application, browser } = await seed();
    const code = await codeOf(browser, application);
    const { body } = await redeem(auth, application, code)
      .set('DPoP', await make(() => prove()))
      .expect(400);
    expect(body).toEqual({
      error: 'invalid_dpop_proof',
      error_description: expect.stringMatching(because) as string,
    });
    await redeem(auth, application, code)
      .set('DPoP', await prove())
      .expect(200);
  },
);

test('two DPoP headers are no proof', async () => {
  const { application } = await seed();
  const proofs = [await prove(), await prove()] as unknown as string;
  const { body } = await requestToken(auth, application, grant).set('DPoP', proofs).expect(400);
  expect(body).toMatchObject({ error: 'invalid_dpop_proof' });
});

test('a proof is accepted once over all replicas; of concurrent uses one succeeds', async () => {
  const { application } = await seed();
  const proof = await prove();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      requestToken(index % 2 ? replica : auth, application, grant).set('DPoP', proof),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 400)]);
  const { body } = await requestToken(auth, application, grant).set('DPoP', proof).expect(400);
  expect(body).toEqual({ error: 'invalid_dpop_proof', error_description: 'The DPoP proof was used before' });
});

test('without client authentication a proof is not used up', async () => {
  const { application } = await seed();
  const proof = await prove();
  await requestToken(auth, application, { ...grant, client_secret: 'wrong' })
    .set('DPoP', proof)
    .expect(400);
  await requestToken(auth, application, grant).set('DPoP', proof).expect(200);
});

/** Until the store removes them, used proofs take space in it. */
const usedProofs = () => auth.connection.collection('used_once').countDocuments();

const made: [string, (application: SeededApplication) => ReturnType<typeof requestToken>][] = [
  ['an authorization code', (application) => redeem(auth, application, 'invented')],
  ['a refresh token', (application) => refresh(auth, application, 'invented')],
  [
    'a subject token',
    (application) =>
      requestToken(auth, application, {
        grant_type: tokenExchange,
        subject_token: 'invented',
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      }),
  ],
];
test.each(made)('a proof is not stored with %s that is made up', async (_name, ask) => {
  const person = await seedPerson(auth);
  const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials', tokenExchange] as const;
  const application = await seedApplication(auth, person.accountId, { grantTypes, actsAsPersonId: person.id });
  const proof = await prove();
  const before = await usedProofs();
  await ask(application).set('DPoP', proof).expect(400);
  expect(await usedProofs()).toBe(before);
  await requestToken(auth, application, grant).set('DPoP', proof).expect(200);
  expect(await usedProofs()).toBe(before + 1);
});

test('a proof is not stored when the client may not get a token', async () => {
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId, { grantTypes: ['client_credentials'] });
  const before = await usedProofs();
  await requestToken(auth, application, grant)
    .set('DPoP', await prove())
    .expect(400);
  expect(await usedProofs()).toBe(before);
});

test('RFC 9449 §10: dpop_jkt binds the code to the key, from the sign-in page on', async () => {
  const { application, browser } = await seed();
  const code = await codeOf(browser, application, { dpop_jkt: key.jkt });
  const wrong = await redeem(auth, application, code)
    .set('DPoP', await prove(other))
    .expect(400);
  const none = await redeem(auth, application, code).expect(400);
  for (const { body } of [wrong, none]) {
    expect(body).toEqual({
      error: 'invalid_grant',
      error_description: 'The key of the DPoP proof is not the one of dpop_jkt',
    });
  }
  const { access_token } = pairIn(
    await redeem(auth, application, code)
      .set('DPoP', await prove())
      .expect(200),
  );
  expect(await boundTo(access_token)).toEqual({ jkt: key.jkt });
});

test('dpop_jkt is a thumbprint, given once', async () => {
  const { application, browser } = await seed();
  for (const jkt of ['short', 'x'.repeat(44), `${'x'.repeat(42)}!`]) {
    const answer = answerIn(await decide(browser, authorizeQuery(application, { dpop_jkt: jkt }), 'allow'));
    expect(answer).toMatchObject({ error: 'invalid_request', error_description: 'dpop_jkt is malformed' });
  }
  const twice = await browser
    .get('/oauth/authorize')
    .query({ ...authorizeQuery(application), dpop_jkt: [key.jkt, other.jkt] });
  expect(answerIn(twice)).toMatchObject({ error: 'invalid_request', error_description: 'dpop_jkt is repeated' });
});

test('private_key_jwt and DPoP can be combined', async () => {
  const clientKey = await makeKey('ES256');
  const person = await seedPerson(auth);
  const application = await seedApplication(auth, person.accountId, {
    grantTypes: ['client_credentials'],
    actsAsPersonId: person.id,
    jwks: keySetOf(clientKey),
    privateKeyJwtRequired: true,
  });
  const assertion = await assertionOf(auth, clientKey, application.clientId);
  const answer = await requestToken(auth, application, { ...grant, ...byAssertion(assertion) })
    .set('DPoP', await prove())
    .expect(200);
  expect(kind(answer)).toBe('DPoP');
});

test('RFC 9449 §6.2: introspection names the key of a bound token', async () => {
  const { application } = await seed();
  const { clientId: client_id, clientSecret: client_secret } = application;
  const ask = async (token: string) =>
    (await auth.http.post('/oauth/introspect').type('form').send({ client_id, client_secret, token })).body as object;
  const bound = pairIn(await requestToken(auth, application, grant).set('DPoP', await prove())).access_token;
  expect(await ask(bound)).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: key.jkt } });
  const free = await ask(pairIn(await requestToken(auth, application, grant)).access_token);
  expect(free).toMatchObject({ active: true, token_type: 'bearer' });
  expect(free).not.toHaveProperty('cnf');
});

describe('the holder of a token asks what it allows', () => {
  const address = `${baseUrl}/oauth/introspect`;
  const ask = (token: string, scheme: string, proof?: string) => {
    const request = auth.http.get('/oauth/introspect').set('Authorization', `${scheme} ${token}`);
    return proof === undefined ? request : request.set('DPoP', proof);
  };
  const proofFor = (accessToken: string, by = key) =>
    proofOf(by, { method: 'GET', address, accessToken, now: auth.now() });
  const tokenOf = async (...proofs: string[]): Promise<string> => {
    const { application } = await seed();
    const request = requestToken(auth, application, grant);
    const [proof] = proofs;
    return pairIn(await (proof === undefined ? request : request.set('DPoP', proof))).access_token;
  };
  const challengeIn = ({ headers }: { headers: unknown }) => (headers as Record<string, string>)['www-authenticate'];

  test('a bound token needs a proof of its key, which is accepted once', async () => {
    const token = await tokenOf(await prove());
    const proof = await proofFor(token);
    expect((await ask(token, 'DPoP', proof).expect(200)).body).toMatchObject({ active: true });
    expect(challengeIn(await ask(token, 'DPoP', proof).expect(401))).toMatch(/^DPoP error="invalid_dpop_proof"/);
    expect(challengeIn(await ask(token, 'Bearer').expect(401))).toMatch(/^DPoP error="invalid_token"/);
    expect(challengeIn(await ask(token, 'DPoP').expect(401))).toMatch(/^DPoP error="invalid_dpop_proof"/);
    const foreign = await ask(token, 'DPoP', await proofFor(token, other)).expect(401);
    expect(challengeIn(foreign)).toMatch(/^DPoP error="invalid_token"/);
    const without = await proofOf(key, { method: 'GET', address, now: auth.now() });
    expect(challengeIn(await ask(token, 'DPoP', without).expect(401))).toMatch(/ath of/);
  });

  test('a proof is not stored with a token that is unknown, unbound or bound to another key', async () => {
    const unknown = 'a'.repeat(40);
    const unbound = await tokenOf();
    const bound = await tokenOf(await prove(other));
    const before = await usedProofs();
    expect((await ask(unknown, 'DPoP', await proofFor(unknown)).expect(200)).body).toEqual({ active: false });
    await ask(unbound, 'DPoP', await proofFor(unbound)).expect(401);
    await ask(bound, 'DPoP', await proofFor(bound)).expect(401);
    expect(await usedProofs()).toBe(before);
    await ask(bound, 'DPoP', await proofFor(bound, other)).expect(200);
    expect(await usedProofs()).toBe(before + 1);
  });

  test('an unbound token is accepted only as Bearer', async () => {
    const token = await tokenOf();
    await ask(token, 'Bearer').expect(200);
    expect(challengeIn(await ask(token, 'DPoP', await proofFor(token)).expect(401))).toMatch(/bound to no key/);
  });
});
