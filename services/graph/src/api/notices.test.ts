import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import type { Role } from '@itsm/shared/contracts/directory';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { recordTypes } from '../record-types/all';
import { nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let team: string;

interface Told {
  readonly id: string;
  readonly kind: string;
  readonly count: number;
  readonly unread: boolean;
  readonly by: { readonly id: string } | null;
  readonly record: { readonly number: number; readonly title: string; readonly status: string } | null;
}

const people: Readonly<Record<string, readonly [number, Role]>> = {
  mia: [1, 'specialist'],
  howard: [2, 'specialist'],
  grace: [3, 'end_user'],
  audra: [4, 'auditor'],
  admin: [5, 'account_administrator'],
};
const idOf = (name: string): number => people[name]?.[0] ?? 0;
const as = (name: string, claims = {}): Client => {
  const [id, role] = people[name] ?? [0, 'end_user'];
  return graph.as(role, { sub: String(id), name, ...claims });
};

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  for (const [name, [id, role]] of Object.entries(people))
    await graph.publishPerson({ id, name, roles: { wdc: [role] } });
  const made = await as('admin').rest('post', '/v1/teams', { name: 'Desk', member_ids: [1, 2] }).expect(201);
  team = (made.body as { nodeID: string }).nodeID;
});
beforeEach(async () => {
  for (const name of ['notices', 'watches']) await graph.connection.collection(name).deleteMany({});
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

/** Until everything that happened is told. */
const settled = () =>
  waitUntil('the outboxes to be empty', async () => {
    const waiting = recordTypes.map(({ plural }) =>
      graph.connection.collection(plural).countDocuments({ outboxAt: { $exists: true } }),
    );
    return (await Promise.all(waiting)).every((count) => count === 0);
  });

const list = (client: Client, more = '') =>
  client.ask<Told[]>(
    'notices.nodes',
    `{ notices(last: 100${more}) { nodes { id kind count unread by { id } record { number title status } } } }`,
  );

/** The reasons for which somebody was told. */
async function kindsOf(name: string): Promise<readonly string[]> {
  await settled();
  return (await list(as(name))).map(({ kind, count }) => (count === 1 ? kind : `${kind} ${count}`));
}

const create = (name: string, more = {}) =>
  as(name).ask<{ readonly id: string; readonly number: number }>(
    'requestCreate.request',
    'mutation ($input: RequestCreateInput!) { requestCreate(input: $input) { request { id number } errors { message } } }',
    { input: { subject: 'Wi-Fi drops', ...more } },
  );

const update = (name: string, id: string, more: object) =>
  as(name).ask<readonly object[]>(
    'requestUpdate.errors',
    'mutation ($input: RequestUpdateInput!) { requestUpdate(input: $input) { errors { message path } } }',
    { input: { id, ...more } },
  );

const note = (name: string, recordId: string, internal = false) =>
  as(name).ask<readonly object[]>(
    'noteCreate.errors',
    'mutation ($input: NoteCreateInput!) { noteCreate(input: $input) { errors { message } } }',
    { input: { recordId, text: 'A note', internal } },
  );

const read = (name: string, input: object) =>
  as(name).ask<{ readonly unread: number | null; readonly errors: readonly object[] }>(
    'noticesRead',
    'mutation ($input: NoticesReadInput!) { noticesRead(input: $input) { unread errors { message path } } }',
    { input },
  );

const watch = (name: string, id: string, level: string) =>
  as(name).graphql(
    'mutation ($input: WatchUpdateInput!) { watchUpdate(input: $input) { level errors { message } } }',
    { input: { id, level } },
  );

const assignedTo = (name: string) => ({ teamId: team, memberId: nodeId('Person', idOf(name)) });

test('who gets a record is told, who gave it is not, and it says what, by whom and of which record', async () => {
  const { id, number } = await create('grace');
  expect(await update('mia', id, assignedTo('howard'))).toEqual([]);
  await settled();
  const record = { number, title: 'Wi-Fi drops', status: 'assigned' };
  expect(await list(as('howard'))).toEqual([
    {
      id: expect.any(String) as string,
      kind: 'assigned',
      count: 1,
      unread: true,
      by: { id: nodeId('Person', 1) },
      record,
    },
  ]);
  expect(await kindsOf('mia')).toEqual([]);
  expect(await update('howard', id, assignedTo('howard'))).toEqual([]);
  expect(await kindsOf('howard')).toEqual(['assigned']);
});

test('an answer tells the requester, theirs tells the member, and an internal note only who works on it', async () => {
  const { id } = await create('grace', {});
  await update('mia', id, assignedTo('howard'));
  await note('howard', id);
  await note('howard', id);
  expect(await kindsOf('grace')).toEqual(['answered 2']);
  await note('grace', id);
  expect(await kindsOf('howard')).toEqual(['assigned', 'answered']);
  await note('mia', id, true);
  expect(await kindsOf('howard')).toEqual(['assigned', 'answered 2']);
  expect(await kindsOf('grace')).toEqual(['answered 2']);
});

test('who wrote a note is told of the next ones, unless they chose otherwise', async () => {
  const { id } = await create('grace');
  await note('mia', id);
  expect(await kindsOf('mia')).toEqual([]);
  await note('howard', id, true);
  expect(await kindsOf('mia')).toEqual(['answered']);
  await watch('mia', id, 'none');
  await note('mia', id);
  await note('howard', id, true);
  expect(await kindsOf('mia')).toEqual(['answered']);
});

test('what is made for somebody, completed and reopened tells them', async () => {
  const { id } = await create('mia', { requestedForId: nodeId('Person', idOf('grace')) });
  await update('mia', id, assignedTo('howard'));
  await update('mia', id, { status: 'completed', completionReason: 'solved', note: 'It works.' });
  await update('mia', id, { status: 'assigned' });
  expect(await kindsOf('grace')).toEqual(['created', 'ended', 'reopened']);
  expect(await kindsOf('howard')).toEqual(['assigned', 'ended', 'reopened']);
});

test('who watches all is told of changes, who watches the ending of that alone, and who mutes of assignments', async () => {
  const { id } = await create('grace');
  await update('admin', id, assignedTo('howard'));
  await settled();
  await graph.connection.collection('notices').deleteMany({});
  await watch('audra', id, 'all');
  await watch('mia', id, 'ending');
  await watch('howard', id, 'none');
  await watch('grace', id, 'none');
  await update('admin', id, { status: 'in_progress' });
  await note('admin', id);
  expect(await kindsOf('audra')).toEqual(['changed', 'answered']);
  await update('admin', id, { status: 'completed', completionReason: 'solved' });
  expect(await kindsOf('audra')).toEqual(['changed', 'answered', 'ended']);
  expect(await kindsOf('mia')).toEqual(['ended']);
  expect([await kindsOf('howard'), await kindsOf('grace')]).toEqual([[], []]);
  await update('admin', id, { memberId: nodeId('Person', idOf('mia')) });
  await update('admin', id, assignedTo('howard'));
  expect(await kindsOf('howard')).toEqual(['assigned']);
  await watch('audra', id, 'own');
  await note('admin', id);
  expect(await kindsOf('audra')).toEqual(['changed 3', 'answered', 'ended']);
});

test('a change of anything else tells nobody', async () => {
  const { id } = await create('grace');
  await watch('audra', id, 'all');
  await update('mia', id, { subject: 'Another subject', impact: 'high' });
  expect(await kindsOf('audra')).toEqual([]);
});

test('nobody who is disabled, or without a role in the account, is told', async () => {
  const { id } = await create('grace');
  for (const [person, more] of [
    [21, { disabled: true, roles: { wdc: ['specialist' as const] } }],
    [22, { roles: { other: ['specialist' as const] } }],
  ] as const) {
    await graph.publishPerson({ id: person, ...more });
    const _id = `wdc/request/${person}`;
    const about = { accountId: 'wdc', recordType: 'request', recordId: Number(id), personId: person, level: 'all' };
    await graph.connection.collection<{ _id: string }>('watches').insertOne({ _id, ...about });
  }
  await note('mia', id);
  await settled();
  expect(await graph.connection.collection('notices').countDocuments({ personId: { $in: [21, 22] } })).toBe(0);
});

test('one that happens again is unread again and counts from one, and the same happening counts once', async () => {
  const { id } = await create('grace');
  await note('mia', id);
  await settled();
  expect(await read('grace', { recordId: id })).toEqual({ unread: 0, errors: [] });
  expect((await list(as('grace'))).map(({ unread }) => unread)).toEqual([false]);
  // As if the process had ended before it noted that it was told.
  await graph.connection.collection('notices').updateMany({}, { $set: { unread: false } });
  await note('mia', id);
  expect(await kindsOf('grace')).toEqual(['answered']);
  const [stored] = await graph.connection.collection('notices').find({ personId: 3 }).toArray();
  expect(stored).toMatchObject({ count: 1, unread: true });
});

test('reading a record, some or all up to one leaves the others unread, and what happened since', async () => {
  const [one, two, three] = [await create('grace'), await create('grace'), await create('grace')];
  for (const { id } of [one, two, three]) {
    await note('mia', id);
    await settled();
  }
  const seen = await list(as('grace'));
  expect(await read('grace', { recordId: two.id })).toEqual({ unread: 2, errors: [] });
  await note('mia', one.id);
  await settled();
  // It happened again, which the caller has not seen.
  expect(await read('grace', { ids: seen.map(({ id }) => id) })).toEqual({ unread: 1, errors: [] });
  const left = await list(as('grace'), ', filter: { unread: true }');
  expect(left.map(({ record }) => record?.number)).toEqual([one.number]);
  await note('mia', three.id);
  await settled();
  expect(await read('grace', { until: left[0]?.id })).toEqual({ unread: 1, errors: [] });
});

test('notices are in the order of what happened last, and pages of them continue', async () => {
  const [one, two] = [await create('grace'), await create('grace')];
  for (const { id } of [one, two, one]) {
    await note('mia', id);
    await settled();
  }
  const page = (args: string) =>
    as('grace').ask<{ nodes: Told[]; pageInfo: { startCursor: string }; totalCount: number }>(
      'notices',
      `{ notices(${args}) { nodes { record { number } } pageInfo { startCursor } totalCount } }`,
    );
  const newest = await page('last: 1');
  expect(newest).toMatchObject({ nodes: [{ record: { number: one.number } }], totalCount: 2 });
  const older = await page(`last: 1, before: "${newest.pageInfo.startCursor}"`);
  expect(older.nodes).toEqual([{ record: { number: two.number } }]);
});

test('of a record that is no longer seen nothing is shown', async () => {
  const { id } = await create('grace');
  await note('mia', id);
  await settled();
  await as('admin').ask(
    'requestTrash.errors',
    'mutation ($input: RecordLifeCycleInput!) { requestTrash(input: $input) { errors { message } } }',
    { input: { id } },
  );
  expect((await list(as('grace'))).map(({ record }) => record)).toEqual([null]);
});

test('nobody sees or reads the notices of somebody else, or those of another account', async () => {
  const { id } = await create('grace');
  await note('mia', id);
  await settled();
  const [{ id: notice = '' } = {}] = await list(as('grace'));
  expect(await list(graph.as('end_user', { sub: '3' }, 'other'))).toEqual([]);
  for (const input of [{ ids: [notice] }, { until: notice }, { recordId: id }]) await read('mia', input);
  const elsewhere = graph.as('end_user', { sub: '3' }, 'other');
  await elsewhere.ask('noticesRead', `mutation { noticesRead(input: { ids: ["${notice}"] }) { unread } }`);
  expect((await list(as('grace'))).map(({ unread }) => unread)).toEqual([true]);
});

test('a record that is not seen cannot be watched, and one that is says what its reader is told', async () => {
  const { id } = await create('mia');
  const audit = graph.as('auditor', { sub: '4' }, 'other');
  const mutation = `mutation { watchUpdate(input: { id: "${id}", level: all }) { level } }`;
  for (const client of [as('grace'), audit])
    expect((await client.graphql(mutation)).errors?.[0]?.extensions.code).toBe('not_found');
  const watching = () => as('audra').ask<string>('request.watching', `{ request(id: "${id}") { watching } }`);
  expect(await watching()).toBe('own');
  expect(await watch('audra', id, 'ending')).toMatchObject({ data: { watchUpdate: { level: 'ending', errors: [] } } });
  expect(await watching()).toBe('ending');
  await Promise.all(['all', 'none', 'own', 'all'].map((level) => watch('audra', id, level)));
  await watch('audra', id, 'all');
  expect(await watching()).toBe('all');
});

test.each([
  [{}, ''],
  [{ ids: [], until: 'x' }, ''],
  [{ ids: Array.from({ length: 101 }, () => 'x') }, 'ids'],
])('%j is refused', async (input, member) => {
  const { unread, errors } = await read('grace', input);
  expect(unread).toBeNull();
  expect(errors).toMatchObject([{ path: member === '' ? [] : [member] }]);
});

test.each([[{ ids: ['x'] }], [{ until: nodeId('Request', 1) }], [{ recordId: nodeId('Person', 1) }]])(
  '%j is not found',
  async (input) => {
    const { errors } = await as('grace').graphql(
      'mutation ($input: NoticesReadInput!) { noticesRead(input: $input) { unread } }',
      { input },
    );
    expect(errors?.[0]?.extensions.code).toBe('not_found');
  },
);

test('a token without the scope reads nothing and changes nothing, and without that of records sees none', async () => {
  const { id } = await create('grace');
  await note('mia', id);
  await settled();
  const scoped = (...actions: `${string}:${string}`[]) =>
    as('grace', { scopes: [{ effect: 'allow' as const, actions }] });
  const codeOf = async (client: Client, query: string) => (await client.graphql(query)).errors?.[0]?.extensions.code;
  const reading = `mutation { noticesRead(input: { recordId: "${id}" }) { unread } }`;
  const watching = `mutation { watchUpdate(input: { id: "${id}", level: all }) { level } }`;
  for (const query of ['{ notices(last: 1) { totalCount } }', reading, watching])
    expect(await codeOf(scoped('request:*', 'note:*'), query)).toBe('forbidden');
  expect(await codeOf(scoped('notice:*'), watching)).toBe('forbidden');
  expect(await list(scoped('notice:*', 'person:Read'))).toMatchObject([{ kind: 'answered', record: null }]);
});

test('records that are deleted for good leave no notices and no watches', async () => {
  const { id } = await create('grace');
  await watch('audra', id, 'all');
  await note('mia', id);
  await settled();
  await as('admin').ask(
    'requestTrash.errors',
    'mutation ($input: RecordLifeCycleInput!) { requestTrash(input: $input) { errors { message } } }',
    { input: { id } },
  );
  await settled();
  graph.clock.pass(31 * 24 * 60 * 60 * 1_000);
  await graph.app.records.store.trashEmptier.runOnce();
  const left = ['notices', 'watches'].map((name) => graph.connection.collection(name).countDocuments({}));
  expect(await Promise.all(left)).toEqual([0, 0]);
});
