import { createPresence } from '@itsm/shared/stores/presence/presence';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { recordTypes } from '../record-types/all';
import { createStore } from '../store/module';
import { trashMilliseconds } from '../store/trash-emptier';
import { startNotices } from '../testing/notice-kit';
import type { Notified } from '../testing/notice-kit';
import { baseUrl, nodeId, nodeIdDomain } from '../testing/start-graph';
import type { Client } from '../testing/start-graph';

let kit: Awaited<ReturnType<typeof startNotices>>;
beforeAll(async () => {
  kit = await startNotices();
});
beforeEach(() => kit.clear());
afterAll(() => kit.close());

test('reading a record, some or all up to one leaves the others unread, and what happened since', async () => {
  const [one, two, three] = [await kit.create('grace'), await kit.create('grace'), await kit.create('grace')];
  for (const { id } of [one, two, three]) {
    await kit.note('mia', id);
    await kit.graph.settled();
  }
  const seen = await kit.list(kit.as('grace'));
  expect(await kit.read('grace', { recordId: two.id })).toEqual({ unread: 2, errors: [] });
  await kit.note('mia', one.id);
  await kit.graph.settled();
  // It happened again, which the caller has not seen.
  expect(await kit.read('grace', { ids: seen.map(({ id }) => id) })).toEqual({ unread: 1, errors: [] });
  const left = await kit.list(kit.as('grace'), ', filter: { unread: true }');
  expect(left.map(({ record }) => record?.number)).toEqual([one.number]);
  await kit.note('mia', three.id);
  await kit.graph.settled();
  expect(await kit.read('grace', { until: left[0]?.id })).toEqual({ unread: 1, errors: [] });
});

test('notices are in the order of what happened last, and pages of them continue', async () => {
  const [one, two] = [await kit.create('grace'), await kit.create('grace')];
  for (const { id } of [one, two, one]) {
    await kit.note('mia', id);
    await kit.graph.settled();
  }
  const page = (args: string) =>
    kit
      .as('grace')
      .ask<{ nodes: Notified[]; pageInfo: { startCursor: string }; totalCount: number }>(
        'notices',
        `{ notices(${args}) { nodes { record { number } } pageInfo { startCursor } totalCount } }`,
      );
  const newest = await page('last: 1');
  expect(newest).toMatchObject({ nodes: [{ record: { number: one.number } }], totalCount: 2 });
  const older = await page(`last: 1, before: "${newest.pageInfo.startCursor}"`);
  expect(older.nodes).toEqual([{ record: { number: two.number } }]);
});

test('of a record that is no longer seen nothing is shown', async () => {
  const { id } = await kit.create('grace');
  await kit.note('mia', id);
  await kit.graph.settled();
  await kit
    .as('admin')
    .ask(
      'requestTrash.errors',
      'mutation ($input: RecordLifeCycleInput!) { requestTrash(input: $input) { errors { message } } }',
      { input: { id } },
    );
  expect((await kit.list(kit.as('grace'))).map(({ record }) => record)).toEqual([null]);
});

test('nobody sees or reads the notices of somebody else, or those of another account', async () => {
  const { id } = await kit.create('grace');
  await kit.note('mia', id);
  await kit.graph.settled();
  const [{ id: notice = '' } = {}] = await kit.list(kit.as('grace'));
  expect(await kit.list(kit.graph.as('end_user', { sub: '3' }, 'other'))).toEqual([]);
  for (const input of [{ ids: [notice] }, { until: notice }, { recordId: id }]) await kit.read('mia', input);
  const elsewhere = kit.graph.as('end_user', { sub: '3' }, 'other');
  await elsewhere.ask('noticesRead', `mutation { noticesRead(input: { ids: ["${notice}"] }) { unread } }`);
  expect((await kit.list(kit.as('grace'))).map(({ unread }) => unread)).toEqual([true]);
});

test('a record that is not seen cannot be watched, and one that is says which notices its reader gets', async () => {
  const { id } = await kit.create('mia');
  const audit = kit.graph.as('auditor', { sub: '4' }, 'other');
  const mutation = `mutation { watchUpdate(input: { id: "${id}", level: all }) { level } }`;
  for (const client of [kit.as('grace'), audit])
    expect((await client.graphql(mutation)).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  const watching = () => kit.as('audra').ask<string>('request.watching', `{ request(id: "${id}") { watching } }`);
  expect(await watching()).toBe('own');
  expect(await kit.watch('audra', id, 'ending')).toMatchObject({
    data: { watchUpdate: { level: 'ending', errors: [] } },
  });
  expect(await watching()).toBe('ending');
  await Promise.all(['all', 'none', 'own', 'all'].map((level) => kit.watch('audra', id, level)));
  await kit.watch('audra', id, 'all');
  expect(await watching()).toBe('all');
});

test.each([
  [{}, ''],
  [{ ids: [], until: 'x' }, ''],
  [{ ids: Array.from({ length: 101 }, () => 'x') }, 'ids'],
])('%j is refused', async (input, member) => {
  const { unread, errors } = await kit.read('grace', input);
  expect(unread).toBeNull();
  expect(errors).toMatchObject([{ path: member === '' ? [] : [member] }]);
});

test.each([
  [{ ids: ['x'] }],
  [{ until: nodeId('Request', 1) }],
  [{ recordId: nodeId('Person', 1) }],
  [{ recordId: nodeId('Request', 999) }],
])('%j is not found', async (input) => {
  const { errors } = await kit
    .as('grace')
    .graphql('mutation ($input: NoticesReadInput!) { noticesRead(input: $input) { unread } }', { input });
  expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
});

test('a token without the scope reads nothing and changes nothing, and without that of records sees none', async () => {
  const { id } = await kit.create('grace');
  await kit.note('mia', id);
  await kit.graph.settled();
  const scoped = (...actions: `${string}:${string}`[]) =>
    kit.as('grace', { scopes: [{ effect: 'allow' as const, actions }] });
  const codeOf = async (client: Client, query: string) => (await client.graphql(query)).errors?.[0]?.extensions.code;
  const reading = `mutation { noticesRead(input: { recordId: "${id}" }) { unread } }`;
  const watching = `mutation { watchUpdate(input: { id: "${id}", level: all }) { level } }`;
  for (const query of ['{ notices(last: 1) { totalCount } }', reading, watching])
    expect(await codeOf(scoped('request:*', 'note:*'), query)).toBe('FORBIDDEN');
  expect(await codeOf(scoped('notice:*'), watching)).toBe('FORBIDDEN');
  expect(await kit.list(scoped('notice:*', 'person:Read'))).toMatchObject([{ kind: 'answered', record: null }]);
});

test('records that are deleted for good leave no notices and no watches', async () => {
  const { id } = await kit.create('grace');
  await kit.watch('audra', id, 'all');
  await kit.note('mia', id);
  await kit.graph.settled();
  await kit
    .as('admin')
    .ask(
      'requestTrash.errors',
      'mutation ($input: RecordLifeCycleInput!) { requestTrash(input: $input) { errors { message } } }',
      { input: { id } },
    );
  await kit.graph.settled();
  const { connection, clock } = kit.graph;
  const now = () => new Date(clock.now().getTime() + trashMilliseconds);
  const platform = { connection, logger: silentLogger, now, baseUrl, nodeIdDomain };
  const presence = createPresence({ connection, logger: silentLogger });
  const store = createStore(platform, { types: recordTypes, presence });
  await store.countKeeper.work();
  await connection.collection('requests').updateMany({}, { $unset: { uncounted: '' } });
  await store.trashEmptier.work();
  const left = ['notices', 'watches'].map((name) => kit.graph.connection.collection(name).countDocuments({}));
  expect(await Promise.all(left)).toEqual([0, 0]);
});
