import { createLocalJWKSet, jwtVerify } from 'jose';
import type { JSONWebKeySet } from 'jose';
import { bodyIn, introspect } from '../testing/client';
import type { Auth } from '../testing/start-auth';
import { everything, seedPerson, startStore } from '../testing/start-auth';
import { keepMilliseconds, publishMilliseconds, rotateAfterMilliseconds } from './signing-key';

let store: Awaited<ReturnType<typeof startStore>>;
let auth: Auth;
let replica: Auth;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  auth = await store.start();
  replica = await store.start({ database: auth.database });
});
afterEach(() => {
  auth.clock.offset = 0;
});

const keySetOf = async ({ http }: Auth) => bodyIn(await http.get('/oauth/jwks').expect(200)) as JSONWebKeySet;
const kidsOf = async (on: Auth) => (await keySetOf(on)).keys.map(({ kid }) => kid);
const maintain = (...all: Auth[]) => Promise.all(all.map(({ app }) => app.services.keys.maintain()));

/** Creates a caller JWT from a token that is valid for a year. */
async function openCaller() {
  const person = await seedPerson(auth);
  const expiresAt = new Date(auth.now().getTime() + 365 * 86_400_000);
  const input = { personId: person.id, name: 'Script', scopes: everything, expiresAt };
  const { token } = await auth.app.operator.createPersonalAccessToken(input);
  return async (on: Auth) => (await introspect(on, token)).caller_token;
}

async function kidOf(callerToken: string, { keys }: JSONWebKeySet): Promise<string | undefined> {
  const currentDate = auth.now();
  return (await jwtVerify(callerToken, createLocalJWKSet({ keys }), { currentDate })).protectedHeader.kid;
}

test('replicas that start together sign with one key', async () => {
  expect(await kidsOf(auth)).toHaveLength(1);
  expect(await kidsOf(replica)).toEqual(await kidsOf(auth));
});

test('the next key is published for at least ten minutes before it signs', async () => {
  const caller = await openCaller();
  const [old] = await kidsOf(auth);
  auth.clock.offset = rotateAfterMilliseconds;
  await maintain(auth);
  const keys = await keySetOf(auth);
  const next = keys.keys[1]?.kid;
  expect(keys.keys).toHaveLength(2);
  expect(publishMilliseconds).toBeGreaterThanOrEqual(600_000);
  auth.clock.offset += 600_000;
  for (const on of [auth, replica]) expect(await kidOf(await caller(on), keys)).toBe(old);
  auth.clock.offset += publishMilliseconds - 600_000;
  for (const on of [auth, replica]) expect(await kidOf(await caller(on), keys)).toBe(next);
});

test('the old key is deleted after its last JWT has expired', async () => {
  const caller = await openCaller();
  const [old] = await kidsOf(auth);
  auth.clock.offset = rotateAfterMilliseconds;
  await maintain(auth);
  auth.clock.offset += publishMilliseconds - 1_000;
  const last = await caller(auth);
  auth.clock.offset += 40_000;
  await maintain(auth, replica);
  expect(await kidOf(last, await keySetOf(replica))).toBe(old);
  auth.clock.offset += keepMilliseconds;
  await maintain(auth, replica);
  for (const on of [auth, replica]) expect(await kidsOf(on)).not.toContain(old);
  expect(await auth.connection.collection('signing_keys').countDocuments()).toBe(1);
});

test('of many replicas with a due rotation exactly one creates the key', async () => {
  const third = await store.start({ database: auth.database });
  for (let month = 1; month <= 3; month += 1) {
    auth.clock.offset += rotateAfterMilliseconds + publishMilliseconds;
    await maintain(auth, replica, third, auth, replica, third);
    expect(new Set([...(await kidsOf(auth)), ...(await kidsOf(replica)), ...(await kidsOf(third))]).size).toBe(2);
    auth.clock.offset += publishMilliseconds + keepMilliseconds;
    await maintain(auth, replica, third);
    expect(await kidsOf(third)).toHaveLength(1);
  }
});

test('a replica whose timer stopped reloads the keys instead of signing with a deleted one', async () => {
  const caller = await openCaller();
  auth.clock.offset = rotateAfterMilliseconds;
  await maintain(auth);
  auth.clock.offset += publishMilliseconds + keepMilliseconds + 1_000;
  await maintain(auth);
  const keys = await keySetOf(auth);
  expect(keys.keys).toHaveLength(1);
  expect(await kidOf(await caller(replica), keys)).toBe(keys.keys[0]?.kid);
});

test('nothing happens between rotations', async () => {
  const before = await kidsOf(auth);
  auth.clock.offset = rotateAfterMilliseconds - 60_000;
  await maintain(auth, replica);
  expect(await kidsOf(auth)).toEqual(before);
});

test('private keys are sealed in the store, and no part of them is published', async () => {
  const stored = JSON.stringify(await auth.connection.collection('signing_keys').find().toArray());
  expect(stored).not.toMatch(/PRIVATE|"d":/);
  for (const key of (await keySetOf(auth)).keys) {
    expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  }
});
