import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { startGraph } from '../testing/start-graph';
import type { RunningGraph } from '../testing/start-graph';
import { mayBeNamed } from './directory';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

const nameOf = async (id: number): Promise<string | undefined> =>
  (await graph.connection.collection<{ _id: number; name: string }>('people').findOne({ _id: id }))?.name;

test('a person is known once auth has published them', async () => {
  expect(await graph.app.seed.knowsPerson(1)).toBe(false);
  await graph.publishPerson({ id: 1, name: 'Ada' });
  expect(await graph.app.seed.knowsPerson(1)).toBe(true);
});

test('an older message never overwrites a newer one, and redelivery changes nothing', async () => {
  await graph.publishPerson({ id: 2, name: 'New', version: 2 });
  await graph.publishPerson({ id: 2, name: 'Old', version: 1 });
  await graph.publishPerson({ id: 2, name: 'Same version', version: 2 });
  expect(await nameOf(2)).toBe('New');
});

test('of ten concurrent first messages the newest wins', async () => {
  const versions = Array.from({ length: 10 }, (_, n) => n + 1);
  await Promise.all(versions.map((version) => graph.publishPerson({ id: 3, name: `Version ${version}`, version })));
  expect(await nameOf(3)).toBe('Version 10');
});

test('an account may refer to its own people, those of its directory, and those with a role in it', () => {
  const account = { id: 'wdc', name: 'WDC', directoryAccountId: 'head-office' };
  const person = { id: 1, name: 'P', primaryEmail: 'p@wdc.example', sourceID: null, disabled: false, roles: {} };
  expect(mayBeNamed({ ...person, accountId: 'wdc' }, 'wdc', undefined)).toBe(true);
  expect(mayBeNamed({ ...person, accountId: 'head-office' }, 'wdc', account)).toBe(true);
  expect(mayBeNamed({ ...person, accountId: 'acme', roles: { wdc: ['auditor'] } }, 'wdc', account)).toBe(true);
  expect(mayBeNamed({ ...person, accountId: 'acme' }, 'wdc', account)).toBe(false);
});
