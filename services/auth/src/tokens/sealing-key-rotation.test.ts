import { randomBytes } from 'node:crypto';
import { createLocalJWKSet, jwtVerify } from 'jose';
import type { JSONWebKeySet } from 'jose';
import { reseal } from '@itsm/shared/stores/reseal/reseal';
import { bodyIn, introspect } from '../testing/client';
import type { Auth } from '../testing/start-auth';
import { everything, seedPerson, startStore } from '../testing/start-auth';
import { publishMilliseconds, rotateAfterMilliseconds } from './signing-key';
import { sealedSigningKeys } from './signing-key.repository';

let store: Awaited<ReturnType<typeof startStore>>;
beforeAll(async () => {
  store = await startStore();
});
afterAll(() => store.close());

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const replica = (keys: readonly Buffer[], database?: string) =>
  store.start({
    ...(database !== undefined && { database }),
    settings: { SEALING_KEYS: keys.map((key) => key.toString('base64')).join(',') },
  });

async function tokenOf(auth: Auth): Promise<string> {
  const { id } = await seedPerson(auth);
  const expiresAt = new Date(auth.now().getTime() + 365 * 86_400_000);
  const input = { personId: id, name: 'Script', scopes: everything, expiresAt };
  return (await auth.app.operator.createPersonalAccessToken(input)).token;
}

/** Each replica signs caller JWTs with a key that the other publishes. */
async function expectAgreement(token: string, on: readonly Auth[]): Promise<void> {
  for (const signing of on)
    for (const publishing of on) {
      const { caller_token } = await introspect(signing, token);
      const { keys } = bodyIn(await publishing.http.get('/oauth/jwks').expect(200)) as JSONWebKeySet;
      await jwtVerify(caller_token, createLocalJWKSet({ keys }), { currentDate: signing.now() });
    }
}

test.each([
  ['the new key is added', [oldKey], [oldKey, newKey]],
  ['the new key is put first', [oldKey, newKey], [newKey, oldKey]],
  ['the old key is taken out', [newKey, oldKey], [newKey]],
])('while %s, all replicas read the signing keys, whichever makes the next', async (_step, ...rings) => {
  const before = await replica(rings[0]);
  const both = [before, await replica(rings[1], before.database)];
  const token = await tokenOf(before);
  for (const maker of both) {
    before.clock.offset += rotateAfterMilliseconds + publishMilliseconds;
    await maker.app.services.keys.maintain();
    await expectAgreement(token, both);
  }
});

test('after re-encryption of the signing keys the old sealing key can be removed', async () => {
  const before = await replica([oldKey]);
  const token = await tokenOf(before);
  before.clock.offset += rotateAfterMilliseconds;
  await before.app.services.keys.maintain();
  const keys = [newKey, oldKey] as const;
  const command = () => reseal({ connection: before.connection, keys, places: [sealedSigningKeys], say: fail });
  expect(await command()).toEqual({ resealed: 2, remaining: new Map() });
  expect(await command()).toEqual({ resealed: 0, remaining: new Map() });
  await expectAgreement(token, [await replica(keys, before.database), await replica([newKey], before.database)]);
});

const fail = (line: string): never => {
  throw new Error(line);
};
