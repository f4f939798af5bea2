import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { createPresence } from '@itsm/shared/stores/presence/presence';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { createTestClock } from '@itsm/shared/testing/test-clock';
import type { Connection } from 'mongoose';
import { recordTypes } from '../record-types/all';
import { request } from '../record-types/request';
import { intercepted } from '../testing/intercepted';
import type { Intercept } from '../testing/intercepted';
import { baseUrl, nodeIdDomain, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';
import { firstSweepMilliseconds, sweepMilliseconds } from './count-keeper';
import { createStore } from './module';
import { createRecordCounts } from './record-counts.repository';
import { trashMilliseconds } from './trash-emptier';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let administrator: Client;
let connection: Connection;
let databases = 0;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
});
beforeEach(async () => {
  const database = `trash_${(databases += 1)}`;
  graph = await startGraph(mongo, keys, database);
  administrator = graph.as('account_administrator', { sub: '2' });
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

/** Another replica, whose clock is that far from the service's. */
function replica(milliseconds: number, connected = connection) {
  const clock = createTestClock();
  clock.pass(graph.clock.now().getTime() + milliseconds - clock.now().getTime());
  const errors: string[] = [];
  const logger = { ...silentLogger, error: (message: string) => void errors.push(message) };
  const platform = { connection: connected, logger, now: clock.now, baseUrl, nodeIdDomain };
  const store = createStore(platform, { types: recordTypes, presence: createPresence({ connection, logger }) });
  return { store, clock, errors };
}

const count = (collection: string, where: object = {}) => connection.collection(collection).countDocuments(where);
const total = (args = '') =>
  administrator.ask<number>('requests.totalCount', `{ requests(first: 1${args}) { totalCount } }`);
async function make(subject: string, move?: string): Promise<number> {
  const { body } = await administrator.rest('post', '/v1/requests', { subject, note: `Of ${subject}` }).expect(201);
  const { id } = body as { id: number };
  if (move) await administrator.rest('post', `/v1/requests/${id}/${move}`).expect(200);
  return id;
}
const restored = async (id: number) => (await administrator.rest('post', `/v1/requests/${id}/restore`)).status;
const settled = async () => {
  await replica(0).store.countKeeper.work();
  await connection.collection('requests').updateMany({}, { $unset: { outbox: '', outboxAt: '' } });
};

test('a record is deleted 30 days after it went to the trash, with its notes and audit lines, and not before', async () => {
  const [kept, archived, trashed] = [await make('Kept'), await make('Archived', 'archive'), await make('Old', 'trash')];
  await settled();
  expect(await replica(trashMilliseconds - 1).store.trashEmptier.work()).toBe(0);
  expect(await count('notes', { recordId: trashed })).toBe(1);
  expect(await replica(trashMilliseconds).store.trashEmptier.work()).toBe(1);
  for (const collection of ['notes', 'audit_lines']) {
    expect(await count(collection, { recordId: trashed })).toBe(0);
    for (const id of [kept, archived]) expect(await count(collection, { recordId: id })).toBeGreaterThan(0);
  }
  expect(await count('requests')).toBe(2);
  expect((await administrator.get('/v1/trash').expect(200)).body).toEqual([]);
  expect([await restored(trashed), await restored(archived)]).toEqual([404, 200]);
});

test('records are deleted in batches, and what a process left behind is deleted by the next one', async () => {
  const ids: number[] = [];
  for (let n = 0; n < 3; n += 1) ids.push(await make(`Old ${n}`, 'trash'));
  await settled();
  // As if a process had ended after it had marked one, and after it had deleted the notes of another.
  const requests = connection.collection<{ _id: number }>('requests');
  await requests.updateOne({ _id: ids[0]! }, { $set: { 'aside.state': 'erased' } });
  await requests.updateOne({ _id: ids[1]! }, { $set: { 'aside.state': 'erased' } });
  await connection.collection('notes').deleteMany({ recordId: ids[1]! });
  expect(await restored(ids[0]!)).toBe(404);
  const shown = async (path: string) => (await administrator.get(path).expect(200)).body as readonly object[];
  expect([(await shown('/v1/trash')).length, (await shown('/v1/requests/trash')).length]).toEqual([1, 1]);
  const view = await administrator.ask<unknown>(
    'requests',
    '{ requests(first: 3, view: trash) { totalCount nodes { requestId lifeCycleState } } }',
  );
  expect(view).toEqual({ totalCount: 1, nodes: [{ requestId: String(ids[2]), lifeCycleState: 'trashed' }] });
  const both = [replica(trashMilliseconds), replica(trashMilliseconds)];
  await Promise.all(both.map(({ store }) => store.trashEmptier.work()));
  expect([await count('requests'), await count('notes'), await count('audit_lines')]).toEqual([0, 0, 0]);
});

test('a record whose counts or messages wait is deleted later', async () => {
  const id = await make('Old', 'trash');
  await settled();
  const requests = connection.collection<{ _id: number }>('requests');
  for (const waiting of [{ uncounted: true }, { outboxAt: new Date(0) }]) {
    await requests.updateOne({ _id: id }, { $set: waiting });
    expect(await replica(trashMilliseconds).store.trashEmptier.work()).toBe(0);
    await requests.updateOne({ _id: id }, { $unset: { uncounted: '', outboxAt: '' } });
  }
  expect(await replica(trashMilliseconds).store.trashEmptier.work()).toBe(1);
});

test('a record that another process marks meanwhile is deleted with its notes', async () => {
  const [, late] = [await make('First', 'trash'), await make('Late', 'trash')];
  await settled();
  const requests = connection.collection<{ _id: number }>('requests');
  const set = (change: object) => requests.updateOne({ _id: late }, change);
  // It waits while the first process marks what it deletes, and another one marks it before the first has deleted that.
  const changes = { updateMany: { $set: { uncounted: true } }, deleteMany: markedByAnother };
  const done = new Set<string>();
  const once =
    (method: keyof typeof changes): Intercept =>
    async (parameters, send) => {
      if (!done.has(method)) await set(changes[method]);
      done.add(method);
      return send(...parameters);
    };
  const marking = intercepted(connection, once('updateMany'), ['updateMany']);
  const first = replica(trashMilliseconds, intercepted(marking, once('deleteMany'), ['deleteMany']));
  await first.store.trashEmptier.work();
  expect([...done]).toEqual(['updateMany', 'deleteMany']);
  await replica(trashMilliseconds).store.trashEmptier.work();
  expect([await count('requests'), await count('notes'), await count('audit_lines')]).toEqual([0, 0, 0]);
});

const markedByAnother = { $set: { 'aside.state': 'erased' }, $unset: { uncounted: '' } };

test('totals are exact before, between and after folds and sweeps, while records move and are deleted', async () => {
  const ids: number[] = [];
  for (let n = 0; n < 6; n += 1) ids.push(await make(`Counted ${n}`));
  const sweep = async (milliseconds: number) => {
    const { store, clock, errors } = replica(milliseconds);
    await store.countKeeper.work();
    clock.pass(firstSweepMilliseconds);
    await store.countKeeper.work();
    expect(errors).toEqual([]);
  };
  const totals = async () => [await total(), await total(', filter: { status: { values: [on_backlog] } }')];
  await sweep(0);
  expect(await totals()).toEqual([6, 6]);
  await administrator.rest('post', `/v1/requests/${ids[0]}/trash`).expect(200);
  await administrator.rest('post', `/v1/requests/${ids[1]}/archive`).expect(200);
  expect(await totals()).toEqual([4, 4]);
  await settled();
  expect(await totals()).toEqual([4, 4]);
  await administrator.rest('post', `/v1/requests/${ids[1]}/restore`).expect(200);
  await administrator.rest('patch', `/v1/requests/${ids[1]}`, { status: 'completed' }).expect(200);
  await administrator.rest('post', `/v1/requests/${ids[2]}/trash`).expect(200);
  expect(await totals()).toEqual([4, 3]);
  // A sweep while moved records are still marked.
  expect(await count('requests', { uncounted: true })).toBe(2);
  const swept = await createRecordCounts(connection, request).sweep('wdc', graph.clock.now());
  expect(swept).toEqual({ unmarked: 0, wrong: [] });
  expect(await totals()).toEqual([4, 3]);
  await sweep(sweepMilliseconds);
  expect(await totals()).toEqual([4, 3]);
  await settled();
  expect(await replica(trashMilliseconds).store.trashEmptier.work()).toBe(2);
  expect(await totals()).toEqual([4, 3]);
  await sweep(3 * sweepMilliseconds);
  expect(await totals()).toEqual([4, 3]);
});
