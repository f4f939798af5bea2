import { randomBytes } from 'node:crypto';
import { createLocalJWKSet, jwtVerify } from 'jose';
import type { JSONWebKeySet } from 'jose';
import { reseal } from '@itsm/shared/secrets/reseal';
import { bodyIn, introspect } from '../testing/client';
import type { Auth } from '../testing/start-auth';
import { everything, seedPerson, startStore } from '../testing/start-auth';
import { publishMilliseconds, rotateAfterMilliseconds } from './key-schedule';
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

/** Each vouches for the caller with a key that the other publishes. */
async function expectAgreement(token: string, on: readonly Auth[]): Promise<void> {
  for (const signing of on)
    for (const publishing of on) {
      const { caller_token } = await introspect(signing, token);
      const { keys } = bodyIn(await publishing.http.get('/oauth/jwks').expect(200)) as JSONWebKeySet;
      await jwtVerify(caller_token, createLocalJWKSet({ keys }), { currentDate: signing.now() });
    }
}

test('at each step of a rotation replicas before and after their restart read all signing keys, whoever makes the next', async () => {
  const first = await replica([oldKey]);
  const token = await tokenOf(first);
  const steps = [[oldKey], [oldKey, newKey], [newKey, oldKey]] as const;
  for (const [at, after] of steps.slice(1).entries()) {
    const both = [await replica(steps[at]!, first.database), await replica(after, first.database)];
    for (const maker of both) {
      first.clock.offset += rotateAfterMilliseconds + publishMilliseconds;
      await maker.app.services.keys.maintain();
      await expectAgreement(token, both);
    }
  }

  const keys = [newKey, oldKey] as const;
  const command = () => reseal({ connection: first.connection, keys, places: [sealedSigningKeys], say: fail });
  expect((await command()).resealed).toBeGreaterThan(0);
  expect(await command()).toEqual({ resealed: 0, remaining: new Map() });
  await expectAgreement(token, [await replica(keys, first.database), await replica([newKey], first.database)]);
});

const fail = (line: string): never => {
  throw new Error(line);
};
