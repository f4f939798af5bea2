import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { roles } from '@itsm/shared/contracts/directory';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { connectPatiently } from '@itsm/shared/testing/connect-patiently';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { recordTypes } from '../record-types/all';
import { keepers, moveNames } from '../record-types/life-cycle';
import { createImporter } from '../testing/create-engine';
import { lifeCycleSteps } from '../testing/life-cycle-steps';
import type { Made } from '../testing/life-cycle-steps';
import { nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let administrator: Client;
let specialist: Client;
let steps: ReturnType<typeof lifeCycleSteps>;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  administrator = graph.as('account_administrator', { sub: '2', name: 'Ada' });
  specialist = graph.as('specialist', { sub: '3', name: 'Sam' });
  steps = lifeCycleSteps(administrator);
  await graph.publishPerson({ id: 2, name: 'Ada' });
  await graph.publishPerson({ id: 3, name: 'Sam' });
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

const request = recordTypes[0]!;
const post = (path: string, body?: object | string) => administrator.rest('post', path, body);

test('a move that was done already changes nothing, and one that cannot be is refused', async () => {
  const { id } = await steps.makeOne(request);
  const versionOf = ({ headers }: { headers: Record<string, string> }) => /^"(\d+)/.exec(headers['etag'] ?? '')?.[1];
  expect(versionOf(await post(`/v1/requests/${id}/restore`).expect(200))).toBe('1');
  expect(versionOf(await post(`/v1/requests/${id}/trash`).expect(200))).toBe('2');
  expect(versionOf(await post(`/v1/requests/${id}/trash`).expect(200))).toBe('2');
  await post(`/v1/requests/${id}/archive`).expect(422, {
    message: 'Validation Failed',
    errors: [['base', 'The record is in the trash; restore it first']],
  });
  await post('/v1/requests/99999/trash').expect(404);
  await post('/v1/requests/nonsense/trash').expect(404);
});

test('If-Match and ifVersion refuse a move of a record that has changed', async () => {
  const { id, nodeID } = await steps.makeOne(request);
  await administrator.rest('patch', `/v1/requests/${id}`, { status: 'completed' }).expect(200);
  await post(`/v1/requests/${id}/trash`).set('If-Match', '"1.x"').expect(412);
  const mutation = `mutation { requestTrash(input: { id: "${nodeID}", ifVersion: 1 }) { request { id } errors { message path } } }`;
  expect((await administrator.graphql(mutation)).data).toEqual({
    requestTrash: {
      request: null,
      errors: [{ message: 'The record has changed: its version is 2', path: ['ifVersion'] }],
    },
  });
  const tag = async (moving: ReturnType<typeof post>) => String((await moving.expect(200)).get('ETag'));
  const read = await tag(administrator.get(`/v1/requests/${id}`));
  const trashed = await tag(post(`/v1/requests/${id}/trash`).set('If-Match', read));
  await post(`/v1/requests/${id}/restore`).set('If-Match', read).expect(412);
  await post(`/v1/requests/${id}/restore`).set('If-Match', trashed).expect(200);
});

test('a move with an Idempotency-Key is done once', async () => {
  const { id } = await steps.makeOne(request);
  const trash = () => post(`/v1/requests/${id}/trash`).set('Idempotency-Key', 'once');
  const first = await trash().expect(200);
  await post(`/v1/requests/${id}/restore`).expect(200);
  const again = await trash().expect(200);
  expect(again.body).toEqual(first.body);
  expect(again.get('Idempotent-Replayed')).toBe('true');
  await administrator.get(`/v1/requests/${id}`).expect(200);
});

test.each([
  ['members', { subject: 'x' }, 422],
  ['an array', '[]', 400],
])('a body with %s is refused', async (_what, body, status) => {
  const { id } = await steps.makeOne(request);
  await post(`/v1/requests/${id}/trash`, body).set('Content-Type', 'application/json').expect(status);
  await administrator.get(`/v1/requests/${id}`).expect(200);
});

test('other methods are refused, and unknown parameters', async () => {
  const { id } = await steps.makeOne(request);
  for (const move of moveNames) {
    const { headers } = await administrator.get(`/v1/requests/${id}/${move}`).expect(405);
    expect(headers['allow']).toBe('POST');
  }
  for (const path of ['archive', 'trash']) {
    expect((await post(`/v1/${path}`, {}).expect(405)).get('Allow')).toBe('GET, HEAD');
    await administrator.get(`/v1/${path}?nonsense=1`).expect(400);
  }
  await post(`/v1/requests/${id}/trash?nonsense=1`).expect(400);
  await administrator.get(`/v1/requests/${id}`).expect(200);
});

test('two who move a record at once both get an answer, and it has one state and both lines', async () => {
  const { id } = await steps.makeOne(request);
  const [archived, first] = await Promise.all([post(`/v1/requests/${id}/archive`), post(`/v1/requests/${id}/trash`)]);
  expect(first.status).toBe(200);
  // What is in the trash already is not archived.
  expect([200, 422]).toContain(archived.status);
  await post(`/v1/requests/${id}/restore`).expect(200);
  const trashed = await Promise.all(Array.from({ length: 5 }, () => post(`/v1/requests/${id}/trash`).expect(200)));
  expect(new Set(trashed.map(({ headers }) => (headers as { etag: string }).etag)).size).toBe(1);
});

test('what is archived or in the trash is not changed by anybody', async () => {
  const archived = await steps.makeOne(request);
  const trashed = await steps.makeOne(request);
  await steps.moveBy.REST(request, archived, 'archive');
  await steps.moveBy.REST(request, trashed, 'trash');
  const refusal = { message: 'Validation Failed', errors: [['base', 'The record is archived; restore it first']] };
  await specialist.rest('patch', `/v1/requests/${archived.id}`, { status: 'completed' }).expect(422, refusal);
  await specialist.rest('post', `/v1/requests/${archived.id}/notes`, { text: 'x' }).expect(422, refusal);
  await specialist.rest('patch', `/v1/requests/${trashed.id}`, { status: 'completed' }).expect(404);
  await specialist.rest('post', `/v1/requests/${trashed.id}/notes`, { text: 'x' }).expect(404);
  await administrator.get(`/v1/requests/${trashed.id}/audit`).expect(404);
  await administrator.get(`/v1/requests/${trashed.id}/notes`).expect(404);
});

test('a reference to an archived record stays and can be made; one to a trashed record is empty until it is restored', async () => {
  const problem = recordTypes.find(({ name }) => name === 'problem')!;
  const cause = await steps.makeOne(problem);
  const { id, nodeID } = await steps.make('requests', { subject: 'Effect', problem_id: cause.id });
  const shown = async () => [
    ((await administrator.get(`/v1/requests/${id}`).expect(200)).body as { problem: unknown }).problem,
    await administrator.ask('request.problem', `{ request(id: "${nodeID}") { problem { id } } }`),
  ];
  const there = [{ id: cause.id, name: cause.title }, { id: cause.nodeID }];
  const refer = () => administrator.rest('patch', `/v1/requests/${id}`, { problem_id: cause.id });
  await steps.moveBy.REST(problem, cause, 'archive');
  expect(await shown()).toEqual(there);
  await refer().expect(200);
  await steps.moveBy.REST(problem, cause, 'trash');
  expect(await shown()).toEqual([null, null]);
  await refer().expect(422, { message: 'Validation Failed', errors: [['problem_id', 'Problem was not found']] });
  await administrator.rest('patch', `/v1/requests/${id}`, { subject: 'Other' }).expect(200);
  await steps.moveBy.REST(problem, cause, 'restore');
  expect(await shown()).toEqual(there);
});

test('connections leave out what is archived or in the trash', async () => {
  const workflow = await steps.make('workflows', { subject: 'Move' });
  const task = recordTypes.find(({ name }) => name === 'task')!;
  const tasks = await Promise.all([1, 2, 3].map(() => steps.makeOne(task, { workflow_id: workflow.id })));
  await steps.moveBy.REST(task, tasks[0]!, 'archive');
  await steps.moveBy.REST(task, tasks[1]!, 'trash');
  const document = `{ workflow(id: "${workflow.nodeID}") { tasks(first: 10) { totalCount nodes { id } } } }`;
  expect(await administrator.ask('workflow.tasks', document)).toEqual({
    totalCount: 1,
    nodes: [{ id: tasks[2]!.nodeID }],
  });
  expect((await administrator.get(`/v1/workflows/${workflow.id}/tasks`).expect(200)).body).toHaveLength(1);
});

test('an end user reads their own archived records, and nobody else than administrators the trash', async () => {
  const own = await steps.makeOne(request, { requested_for_id: 3 });
  const endUser = graph.as('end_user', { sub: '3' });
  await steps.moveBy.REST(request, own, 'archive');
  await endUser.get(`/v1/requests/${own.id}`).expect(200);
  const archive = '{ requests(first: 100, view: archive) { nodes { id requestedFor { id } } } }';
  const nodes = await endUser.ask<{ requestedFor: { id: string } }[]>('requests.nodes', archive);
  expect(nodes.map(({ requestedFor }) => requestedFor.id)).toEqual([nodeId('Person', 3)]);
  await steps.moveBy.REST(request, own, 'trash');
  await endUser.get(`/v1/requests/${own.id}`).expect(404);
  for (const role of roles.filter((one) => !keepers.includes(one))) {
    const client = graph.as(role, { sub: '3' });
    const { errors } = await client.graphql('{ requests(first: 1, view: trash) { totalCount } }');
    expect(errors).toMatchObject([{ message: 'Forbidden' }]);
    for (const path of ['/v1/trash', '/v1/archive']) await client.get(path).expect(403);
  }
});

test('the trash lists what the token may read, of this account, page by page, the newest first', async () => {
  const account = 'pages';
  const client = graph.as('account_administrator', { sub: '2', name: 'Ada', home: account }, account);
  const made: [string, number][] = [];
  for (const n of [1, 2, 3])
    for (const [name, plural] of [
      ['request', 'requests'],
      ['workflow', 'workflows'],
    ] as const) {
      const { id } = (await client.rest('post', `/v1/${plural}`, { subject: `Old ${n}` }).expect(201)).body as Made;
      await client.rest('post', `/v1/${plural}/${id}/trash`).expect(200);
      made.unshift([name, id]);
    }
  const first = await client.get('/v1/trash?per_page=4').expect(200);
  type Entry = Record<string, unknown> & { id: number; trashed: string; request: Made | null };
  const named = (entries: Entry[]) => entries.map((entry) => [entry.trashed, (entry[entry.trashed] as Made).id]);
  const page = first.body as Entry[];
  expect(named(page)).toEqual(made.slice(0, 4));
  expect(page.find(({ trashed }) => trashed === 'request')).toMatchObject({
    trashed_by: { id: 2, name: 'Ada' },
    created_at: expect.stringMatching(/Z$/) as string,
    request: { href: `/requests/${made[1]![1]}`, display_name: `${made[1]![1]} Old 3` },
    workflow: null,
  });
  const next = /<([^>]+)>; rel="next"/.exec(first.get('Link') ?? '')?.[1] ?? '';
  const second = await client.get(next).expect(200);
  expect(named(second.body as Entry[])).toEqual(made.slice(4));
  const back = /<([^>]+)>; rel="prev"/.exec(second.get('Link') ?? '')?.[1] ?? '';
  expect(named((await client.get(back).expect(200)).body as Entry[])).toEqual(made.slice(0, 4));
  expect(named((await client.get('/v1/trash?sort=id').expect(200)).body as Entry[])).toEqual([...made].reverse());
  const scopes = [{ effect: 'allow' as const, actions: ['workflow:Read'] }];
  const narrow = graph.as('account_administrator', { sub: '2', home: account, scopes }, account);
  expect(named((await narrow.get('/v1/trash').expect(200)).body as Entry[]).map(([name]) => name)).toEqual(
    Array(3).fill('workflow'),
  );
  expect((await narrow.get('/v1/trash').expect(200)).body).toMatchObject(Array(3).fill({ trashed_by: null }));
  const none = [{ effect: 'allow' as const, actions: ['person:Read'] }];
  const blind = graph.as('account_administrator', { sub: '2', home: account, scopes: none }, account);
  // One scope suffices, so a client that gets what the challenge names may read.
  const refused = await blind.get('/v1/trash').expect(403);
  expect(refused.get('WWW-Authenticate')).toBe('Bearer error="insufficient_scope", scope="request:Read"');
  expect(refused.body).toEqual({
    message: expect.stringMatching(/^Missing required scope\(s\): request:Read or .*team:Read$/) as string,
  });
});

describe('imports', () => {
  const pair = (sourceID: string) => ({ source: 'csv', sourceID });
  async function importing(rows: readonly Record<string, string>[]) {
    const own = await connectPatiently(mongo.urlOf(graph.connection.name));
    try {
      return await createImporter(own).importRows('request', rows);
    } finally {
      await own.close();
    }
  }

  test.each([
    ['archive', 'The record is archived; restore it first'],
    ['trash', 'The record is in the trash; restore it first'],
  ] as const)('a row that names a record after its %s is refused', async (move, message) => {
    const record = await steps.makeOne(request, pair(move));
    await steps.moveBy.REST(request, record, move);
    const refused = { errors: [{ message, path: [] }] };
    expect(
      await importing([
        { ...pair(move), subject: 'New' },
        { id: String(record.id), subject: 'New' },
      ]),
    ).toEqual([refused, refused]);
  });

  test('nobody takes the source of a record in the trash, so that it can be restored', async () => {
    const record = await steps.makeOne(request, pair('taken'));
    const other = await steps.makeOne(request);
    await steps.moveBy.REST(request, record, 'trash');
    const taken = { message: 'Validation Failed', errors: [['sourceID', 'Source ID is already in use']] };
    await post('/v1/requests', { subject: 'New', ...pair('taken') }).expect(422, taken);
    await administrator.rest('patch', `/v1/requests/${other.id}`, pair('taken')).expect(422, taken);
    const inUse = { errors: [{ message: 'Source ID is already in use', path: ['sourceID'] }] };
    expect(await importing([{ id: String(other.id), subject: 'New', ...pair('taken') }])).toEqual([inUse]);
    await steps.moveBy.REST(request, record, 'restore');
    expect(await importing([{ ...pair('taken'), subject: 'Changed' }])).toEqual([{ outcome: 'updated' }]);
  });

  test('of two records with one source, which raced each other, only one is active', async () => {
    const record = await steps.makeOne(request, pair('raced'));
    await steps.moveBy.REST(request, record, 'trash');
    await steps.makeOne(request, pair('second'));
    const second = { 'values.sourceID': 'second' };
    await graph.connection.collection('requests').updateOne(second, { $set: { 'values.sourceID': 'raced' } });
    await post(`/v1/requests/${record.id}/restore`).expect(422, {
      message: 'Validation Failed',
      errors: [['sourceID', 'Source ID is already in use']],
    });
  });
});

test('a move publishes no event', async () => {
  const record = await steps.makeOne(request);
  for (const move of moveNames) await steps.moveBy.REST(request, record, move);
  await administrator.rest('patch', `/v1/requests/${record.id}`, { status: 'completed' }).expect(200);
  const events = await waitUntil('the update', () => {
    const found = graph.events.filter(({ object }) => object.id === record.id && object.nodeID === record.nodeID);
    return found.some(({ event }) => event === 'request.status-changed') ? found : undefined;
  });
  expect(events.map(({ event }) => event)).toEqual(['request.create', 'request.update', 'request.status-changed']);
});
