import { exportJWK, generateKeyPair } from 'jose';
import type { JWK } from 'jose';
import { introspect } from '../testing/client';
import { audience, exchange, refusedGrant, seedExchange } from '../testing/exchange';
import { obtainAccessToken, obtainIdToken, startOidcProvider } from '../testing/oidc-provider';
import type { Auth } from '../testing/start-auth';
import { startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
const running: { stop(): Promise<void> }[] = [];
beforeAll(async () => {
  store = await startStore();
  auth = await store.start({ settings: { ALLOW_INSECURE_PROVIDERS: 'true' } });
});
afterAll(() => store.close());
afterEach(async () => {
  auth.clock.offset = 0;
  await Promise.all(running.splice(0).map((provider) => provider.stop()));
});

async function makeJwk(algorithm: string, kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, use: 'sig', ...(algorithm !== 'RS256' && { alg: algorithm }) };
}

async function start(keys: readonly JWK[], former?: { readonly issuer: string }) {
  // The clock of auth stands still, so a provider with the machine's clock would soon be too far ahead of it.
  const provider = await startOidcProvider(keys, { former, at: auth.now() });
  running.push(provider);
  return provider;
}

async function subjectOf(response: { body: unknown }): Promise<unknown> {
  const { active, claims } = await introspect(auth, (response.body as { access_token: string }).access_token);
  return active ? claims['sub'] : undefined;
}

test('ID tokens of oidc-provider are exchanged, with every signature algorithm', async () => {
  const keys = [await makeJwk('RS256', 'r'), await makeJwk('ES256', 'e'), await makeJwk('EdDSA', 'ed')];
  const { issuer } = await start(keys);
  for (const algorithm of ['RS256', 'PS256', 'ES256', 'EdDSA']) {
    const clientId = `client-${algorithm}`;
    const { application, person } = await seedExchange(auth, { issuer, application: { audience: clientId } });
    const idToken = await obtainIdToken(issuer, clientId, person.email);
    const answer = await exchange(auth, application, idToken).expect(200);
    expect(await subjectOf(answer)).toBe(String(person.id));
  }
});

test('an ID token for another client of the same provider is refused', async () => {
  const { issuer } = await start([await makeJwk('RS256', 'r')]);
  const { application, person } = await seedExchange(auth, { issuer, application: { audience: 'client-PS256' } });
  const idToken = await obtainIdToken(issuer, 'client-RS256', person.email);
  expect((await exchange(auth, application, idToken).expect(400)).body).toEqual(refusedGrant(/audience/));
});

test('a JWT access token for our audience is exchanged by authentication ID, one of another provider is not', async () => {
  const [one, other] = [await start([await makeJwk('RS256', 'r')]), await start([await makeJwk('RS256', 'r')])];
  const { accountId, application } = await seedExchange(auth, { issuer: one.issuer, identifier: 'authentication_id' });
  const robot = await auth.app.operator.ensurePerson({
    accountId,
    name: 'Robot',
    primaryEmail: 'robot@example.com',
    password: 'a password of the tests',
    roles: ['specialist'],
    authenticationID: 'client-RS256',
  });
  const accessToken = await obtainAccessToken(one.issuer, 'client-RS256', audience);
  expect(await subjectOf(await exchange(auth, application, accessToken).expect(200))).toBe(String(robot.id));
  const foreign = await obtainAccessToken(other.issuer, 'client-RS256', audience);
  expect((await exchange(auth, application, foreign).expect(400)).body).toEqual(refusedGrant(/issuer/));
});

test('keys are rotated in and out, also across an outage', async () => {
  const [old, fresh] = [await makeJwk('RS256', 'old'), await makeJwk('RS256', 'fresh')];
  const clientId = 'client-RS256';
  const first = await start([old]);
  const { issuer } = first;
  const { application, person } = await seedExchange(auth, { issuer, application: { audience: clientId } });
  const attempt = async (idToken: string): Promise<number> => (await exchange(auth, application, idToken)).status;

  const obtain = () => obtainIdToken(issuer, clientId, person.email);
  const [before, meanwhile, later, tooLate] = [await obtain(), await obtain(), await obtain(), await obtain()];
  expect(await attempt(before)).toBe(200);
  await first.stop();
  expect(await attempt(meanwhile)).toBe(200);

  const second = await start([fresh, old], first);
  expect(await attempt(await obtain())).toBe(200);
  expect(await attempt(later)).toBe(200);
  await second.stop();

  await start([fresh], second);
  const after = await obtain();
  auth.clock.offset = 61 * 60_000;
  expect((await exchange(auth, application, tooLate).expect(400)).body).toEqual(refusedGrant(/key/));
  auth.clock.offset = 30 * 60_000;
  expect(await attempt(after)).toBe(200);
});
