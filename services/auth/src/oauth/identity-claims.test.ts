import { SignJWT } from 'jose';
import type { JWTPayload } from 'jose';
import { audience, claimsFor, exchange, refusedGrant, seedExchange } from '../testing/exchange';
import { makeKey, sign, startLocalProvider } from '../testing/local-provider';
import type { LocalKey, LocalProvider } from '../testing/local-provider';
import type { Auth } from '../testing/start-auth';
import { startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
let key: LocalKey;
let provider: LocalProvider;
let seeded: Awaited<ReturnType<typeof seedExchange>>;

beforeAll(async () => {
  store = await startStore();
  auth = await store.start({ settings: { ALLOW_INSECURE_PROVIDERS: 'true' } });
  key = await makeKey();
  provider = await startLocalProvider([key]);
  seeded = await seedExchange(auth, { issuer: provider.issuer });
});
afterAll(async () => {
  await provider.close();
  await store.close();
});

const claims = (more: JWTPayload = {}): JWTPayload => claimsFor(auth, provider.issuer, seeded.person, more);
const seconds = (): number => Math.floor(auth.now().getTime() / 1000);

const accept = (token: string) => exchange(auth, seeded.application, token).expect(200);
async function refuse(token: string, because: RegExp): Promise<void> {
  const response = await exchange(auth, seeded.application, token).expect(400);
  expect(response.body).toEqual(refusedGrant(because));
}

describe('expiry', () => {
  test.each([
    ['exp missing', () => ({ exp: undefined }), /no expiry/],
    ['exp as text', () => ({ exp: '9999999999' as never }), /no expiry/],
    ['exp past', () => ({ exp: seconds() - 31 }), /expired/],
    ['exp at zero', () => ({ exp: 0 }), /expired/],
    ['exp ten years ahead', () => ({ exp: seconds() + 315_360_000 }), /24 hours/],
    ['nbf in the future', () => ({ nbf: seconds() + 90 }), /not valid yet/],
    ['nbf as text', () => ({ nbf: 'now' as never }), /not valid yet/],
    ['iat in the future', () => ({ iat: seconds() + 90 }), /issued in the future/],
    ['iat as text', () => ({ iat: 'now' as never }), /issued in the future/],
  ])('%s is refused', async (_name, more, because) => {
    await refuse(
      await new SignJWT(claims(more() as JWTPayload)).setProtectedHeader(headerOf(key)).sign(key.privateKey),
      because,
    );
  });

  test.each([
    ['exp past within 30 s', () => ({ exp: seconds() - 20 })],
    ['nbf future within 30 s', () => ({ nbf: seconds() + 20 })],
    ['iat future within 30 s', () => ({ iat: seconds() + 20 })],
    ['iat missing', () => ({ iat: undefined })],
    ['exp 24 hours ahead', () => ({ exp: seconds() + 86_400 })],
  ])('%s is accepted', async (_name, more) => {
    await accept(await sign(key, claims(more() as JWTPayload)));
  });
});

const headerOf = ({ algorithm, jwk }: LocalKey) => ({ alg: algorithm, kid: jwk.kid ?? '' });

describe('issuer', () => {
  test.each([
    ['with a trailing slash', (issuer: string) => `${issuer}/`],
    ['with https', (issuer: string) => issuer.replace('http:', 'https:')],
    ['by another name of the host', (issuer: string) => issuer.replace('127.0.0.1', 'localhost')],
    ['in capitals', (issuer: string) => issuer.toUpperCase()],
    ['of another tenant', (issuer: string) => `${issuer}/tenant`],
    ['in a list', (issuer: string) => [issuer] as never],
    ['that is missing', () => undefined],
    ['that is empty', () => ''],
  ])('an issuer %s is refused', async (_name, iss) => {
    await refuse(await sign(key, claims({ iss: iss(provider.issuer) as string })), /issuer/);
  });
});

describe('audience', () => {
  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['an empty list', []],
    ['a list without ours', ['https://other.example', 'x']],
    ['a part of ours', audience.slice(0, -1)],
    ['longer than ours', `${audience}/`],
    ['another case of ours', audience.toUpperCase()],
    ['a nested list', [[audience]] as never],
    ['an object', { [audience]: true } as never],
  ])('an audience that is %s is refused', async (_name, aud) => {
    await refuse(await sign(key, claims({ aud: aud as string })), /audience/);
  });

  test('an audience that is a list with ours is accepted', async () => {
    await accept(await sign(key, claims({ aud: ['https://other.example', audience] })));
  });
});
