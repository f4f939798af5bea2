import { claimsFor, exchange, refusedGrant, seedExchange } from '../testing/exchange';
import { json, makeKey, sign, startLocalProvider } from '../testing/local-provider';
import type { LocalKey, LocalProvider } from '../testing/local-provider';
import type { Auth } from '../testing/start-auth';
import { startStore } from '../testing/start-auth';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
const providers: LocalProvider[] = [];
beforeAll(async () => {
  store = await startStore();
  auth = await store.start({ settings: { ALLOW_INSECURE_PROVIDERS: 'true' } });
});
afterAll(() => store.close());
afterEach(async () => {
  auth.clock.offset = 0;
  await Promise.all(providers.splice(0).map((provider) => provider.close()));
});

async function start(keys: readonly LocalKey[]) {
  const provider = await startLocalProvider(keys);
  providers.push(provider);
  const { application, person } = await seedExchange(auth, { issuer: provider.issuer });
  const attempt = async (key: LocalKey, kid?: string) =>
    exchange(
      auth,
      application,
      await sign(key, claimsFor(auth, provider.issuer, person), kid === undefined ? {} : { kid }),
    );
  const statusOf = async (key: LocalKey, kid?: string): Promise<number> => (await attempt(key, kid)).status;
  return { provider, attempt, statusOf };
}

const down = (res: { destroy(): unknown }): void => void res.destroy();
const minutes = (count: number): number => count * 60_000;

test('concurrent calls share one discovery and one fetch of the keys', async () => {
  const key = await makeKey();
  const { provider, attempt } = await start([key]);
  const answers = await Promise.all(Array.from({ length: 30 }, () => attempt(key)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(provider.calls).toEqual({ discovery: 1, keySet: 1 });
});

test('keys are cached for an hour', async () => {
  const key = await makeKey();
  const { provider, statusOf } = await start([key]);
  await statusOf(key);
  auth.clock.offset = minutes(59);
  expect(await statusOf(key)).toBe(200);
  expect(provider.calls.keySet).toBe(1);
  auth.clock.offset = minutes(61);
  expect(await statusOf(key)).toBe(200);
  expect(provider.calls).toEqual({ discovery: 2, keySet: 2 });
});

test.each([
  ['max-age=300', 4, 6],
  ['max-age=1', 0.9, 1.1],
  ['no-store', 0.9, 1.1],
  ['max-age=86400', 59, 61],
])('Cache-Control: %s keeps keys for more than %d and less than %d minutes', async (cacheControl, still, not) => {
  const key = await makeKey();
  const { provider, statusOf } = await start([key]);
  provider.publish([key], { 'Cache-Control': cacheControl });
  await statusOf(key);
  auth.clock.offset = minutes(still);
  await statusOf(key);
  expect(provider.calls.keySet).toBe(1);
  auth.clock.offset = minutes(not);
  await statusOf(key);
  expect(provider.calls.keySet).toBe(2);
});

test('a key that is rotated in is accepted at once', async () => {
  const [old, fresh] = [await makeKey(), await makeKey('ES256')];
  const { provider, statusOf } = await start([old]);
  expect(await statusOf(old)).toBe(200);
  provider.publish([old, fresh]);
  expect(await statusOf(fresh)).toBe(200);
  expect(provider.calls).toEqual({ discovery: 1, keySet: 2 });
});

test('unknown kids cause at most one more fetch a minute, and a good key after them is accepted', async () => {
  const [key, stranger, fresh] = [await makeKey(), await makeKey(), await makeKey()];
  const { provider, statusOf } = await start([key]);
  await statusOf(key);
  await Promise.all(Array.from({ length: 20 }, (_, index) => statusOf(stranger, `unknown-${index}`)));
  expect(provider.calls.keySet).toBe(2);
  provider.publish([key, fresh]);
  expect(await statusOf(fresh)).toBe(400);
  expect(await statusOf(key)).toBe(200);
  expect(provider.calls.keySet).toBe(2);
  auth.clock.offset = minutes(1) + 1_000;
  expect(await statusOf(fresh)).toBe(200);
  expect(provider.calls.keySet).toBe(3);
});

test('a key that is rotated out is refused after the next fetch', async () => {
  const [old, fresh] = [await makeKey(), await makeKey()];
  const { provider, statusOf } = await start([old]);
  expect(await statusOf(old)).toBe(200);
  provider.publish([fresh]);
  expect(await statusOf(fresh)).toBe(200);
  expect(await statusOf(old)).toBe(400);
});

test('a key that is rotated out is refused after an hour at the latest', async () => {
  const old = await makeKey();
  const { provider, statusOf } = await start([old]);
  expect(await statusOf(old)).toBe(200);
  provider.publish([]);
  auth.clock.offset = minutes(61);
  expect(await statusOf(old)).toBe(400);
});

test('while the provider is down, its last keys are used for a day', async () => {
  const [key, fresh] = [await makeKey(), await makeKey()];
  const { provider, statusOf } = await start([key]);
  await statusOf(key);
  Object.assign(provider.answers, { discovery: down, keySet: down });
  expect(await statusOf(key)).toBe(200);
  auth.clock.offset = minutes(61);
  expect(await statusOf(key)).toBe(200);
  expect(await statusOf(fresh)).toBe(400);
  auth.clock.offset = minutes(25 * 60);
  expect(await statusOf(key)).toBe(400);
});

test('a provider that is down is not called at every exchange', async () => {
  const key = await makeKey();
  const { provider, statusOf } = await start([key]);
  await statusOf(key);
  provider.answers.discovery = down;
  auth.clock.offset = minutes(61);
  for (let index = 0; index < 10; index += 1) await statusOf(key);
  expect(provider.calls.discovery).toBe(2);
});

test('an unreachable provider is refused, and accepted once it is up', async () => {
  const key = await makeKey();
  const { provider, attempt, statusOf } = await start([key]);
  provider.answers.discovery = down;
  const { status, body } = await attempt(key);
  expect([status, body]).toEqual([400, refusedGrant(/discovery document/)]);
  provider.answers.discovery = json(provider.metadata);
  auth.clock.offset = 11_000;
  expect(await statusOf(key)).toBe(200);
});

test('a malformed key set does not replace a good one', async () => {
  const key = await makeKey();
  const { provider, statusOf } = await start([key]);
  await statusOf(key);
  provider.answers.keySet = json({ keys: 'none' });
  auth.clock.offset = minutes(61);
  expect(await statusOf(key)).toBe(200);
});

test('keys of other kinds and malformed keys beside a good one do no harm', async () => {
  const key = await makeKey();
  const { provider, statusOf } = await start([]);
  const others = [null, 7, 'x', {}, { kty: 'oct', k: 'AAAA', kid: key.jwk.kid }, { kty: 'RSA', n: 'AAAA', kid: 'x' }];
  const encryption = { ...key.jwk, use: 'enc' };
  provider.answers.keySet = json({ keys: [...others, encryption, key.jwk] });
  expect(await statusOf(key)).toBe(200);
});

test('two keys with the same kid are refused as ambiguous', async () => {
  const [one, other] = [await makeKey('RS256', { kid: 'same' }), await makeKey('RS256', { kid: 'same' })];
  const { statusOf } = await start([one, other]);
  expect(await statusOf(one)).toBe(400);
});
