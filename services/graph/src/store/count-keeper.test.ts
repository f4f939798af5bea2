import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { recordCountsRepaired } from '@itsm/shared/observing/metrics/metrics';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { createPresence } from '@itsm/shared/stores/presence/presence';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { createTestClock } from '@itsm/shared/testing/test-clock';
import type { TestClock } from '@itsm/shared/testing/test-clock';
import type { Connection } from 'mongoose';
import { recordTypes } from '../record-types/all';
import { request } from '../record-types/request';
import { created, newRecord } from '../write/made-record';
import { startGraph } from '../testing/start-graph';
import type { RunningGraph } from '../testing/start-graph';
import { firstSweepMilliseconds, sweepMilliseconds } from './count-keeper';
import { createStore } from './module';
import { everything } from './record-selection';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let connection: Connection;
let databases = 0;
beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
});
beforeEach(async () => {
  const database = `keeper_${(databases += 1)}`;
  graph = await startGraph(mongo, keys, database);
  connection = await connectPatiently(mongo.urlOf(database));
});
afterEach(async () => {
  await connection.close();
  await graph.stop();
});
afterAll(async () => {
  await keys.close();
  await mongo.close();
});

/** A replica of the service that keeps counts, on a connection of its own. */
function openReplica(clock: TestClock) {
  const errors: object[] = [];
  const logger = {
    ...silentLogger,
    error: (message: string, facts?: object) => void errors.push({ message, ...facts }),
  };
  const platform = { connection, logger, now: clock.now, baseUrl: 'https://api.test.example', nodeIdDomain: 'test' };
  const presence = createPresence({ connection, logger });
  const store = createStore(platform, { types: recordTypes, presence });
  return { errors, store, keeper: store.countKeeper };
}

const make = (subject: string) => ({
  query: `mutation { requestCreate(input: ${subject}) { request { id } errors { message } } }`,
});
const create = (input: string, role: Parameters<RunningGraph['as']>[0] = 'specialist') =>
  graph.as(role).ask<string>('requestCreate.request.id', make(input).query);
const total = (filter = '', client = graph.as('specialist')) =>
  client.ask<number>('requests.totalCount', `{ requests(first: 1 ${filter}) { totalCount } }`);
const open = ', filter: { status: { values: [completed, declined], negate: true } }';

/** The commands by which the service counts records in an index, while something is done. */
async function countedInIndex(during: () => Promise<unknown>): Promise<number> {
  let found = 0;
  const hear = ({ commandName, command }: { commandName: string; command: Record<string, unknown> }): void => {
    if (commandName === 'aggregate' && command['aggregate'] === 'requests') found += 1;
  };
  graph.connection.getClient().on('commandStarted', hear);
  await during();
  graph.connection.getClient().off('commandStarted', hear);
  return found;
}

test('totals come from counts ten minutes after the first record, and follow every change', async () => {
  const { keeper, errors } = openReplica(graph.clock);
  const first = await create('{ subject: "One" }');
  await Promise.all(['Two', 'Three', 'Four'].map((subject) => create(`{ subject: "${subject}", status: completed }`)));
  await keeper.work();
  expect(await countedInIndex(async () => expect(await total()).toBe(4))).toBe(1);
  graph.clock.pass(firstSweepMilliseconds);
  await keeper.work();
  const steps: [change: () => Promise<unknown>, all: number, isOpen: number][] = [
    [() => Promise.resolve(), 4, 1],
    [() => Promise.all([create('{ subject: "Five" }'), create('{ subject: "Six" }')]), 6, 3],
    [
      () =>
        graph
          .as('specialist')
          .graphql(`mutation { requestUpdate(input: { id: "${first}", status: completed }) { errors { message } } }`),
      6,
      2,
    ],
    [() => keeper.work(), 6, 2],
  ];
  for (const [change, all, isOpen] of steps) {
    await change();
    const read = async () => expect([await total(), await total(open)]).toEqual([all, isOpen]);
    expect(await countedInIndex(read)).toBe(0);
  }
  expect(errors).toEqual([]);
});

test('who sees a part of the records gets the number of these, and another account its own', async () => {
  const { keeper } = openReplica(graph.clock);
  const [ada, bob] = [graph.as('end_user', { sub: '71' }), graph.as('end_user', { sub: '72' })];
  await create('{ subject: "One" }');
  for (const client of [ada, ada, bob]) await client.graphql(make('{ subject: "Mine" }').query);
  graph.clock.pass(firstSweepMilliseconds);
  await keeper.work();
  graph.clock.pass(firstSweepMilliseconds);
  await keeper.work();
  expect(await total()).toBe(4);
  expect([await total('', ada), await total('', bob)]).toEqual([2, 1]);
  expect(await total('', graph.as('specialist', {}, 'another'))).toBe(0);
});

test('a daily sweep repairs wrong counts, and says so in a line and a metric', async () => {
  await graph.stop();
  const clock = createTestClock();
  const replicas = [openReplica(clock), openReplica(clock)] as const;
  const [{ keeper, store, errors }, other] = replicas;
  const records = store.repositoryOf('request');
  const moment = { accountId: 'wdc', personId: 1, now: clock.now() };
  await records.insert(newRecord(1, created(request, { subject: 'One' }, moment), moment), []);
  await keeper.work();
  clock.pass(firstSweepMilliseconds);
  await keeper.work();
  const repaired = async () => {
    const { values } = await recordCountsRepaired.get();
    return Object.fromEntries(values.map(({ labels, value }) => [String(labels.type), value]));
  };
  // First counts are no repair. Every type is shown, since an alert sees only what increases.
  const none = Object.fromEntries(recordTypes.map(({ name }) => [name, 0]));
  expect(await repaired()).toEqual(none);
  await connection.collection('record_counts').updateMany({}, { $set: { 'counts.all': 9 } });
  await keeper.work();
  expect(await records.count('wdc', everything)).toBe(9);
  clock.pass(sweepMilliseconds);
  await Promise.all([keeper.work(), other.keeper.work()]);
  expect(await records.count('wdc', everything)).toBe(1);
  const message = 'counts of records were wrong and have been repaired';
  const facts = { type: 'request', accountId: 'wdc', unmarked: 0, wrong: ['all'] };
  expect([...errors, ...other.errors]).toEqual([{ message, ...facts }]);
  expect(await repaired()).toEqual({ ...none, request: 1 });
});

test('records that an ended process left are counted by another', async () => {
  const { keeper } = openReplica(graph.clock);
  await create('{ subject: "One" }');
  await keeper.work();
  await create('{ subject: "Two" }');
  await keeper.work();
  expect(await connection.collection('requests').countDocuments({ uncounted: true })).toBe(0);
});
