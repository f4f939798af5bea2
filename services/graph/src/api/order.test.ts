import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { recordTypes } from '../record-types/all';
import { nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';
import { orderNames } from '../read/record-query';
import { partsOfSelection } from '../store/record-parts';
import { everything } from '../store/record-selection';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let specialist: Client;

const statuses = ['assigned', 'completed', 'on_backlog'];
const count = 23;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  specialist = graph.as('specialist', { sub: '2' });
  for (let n = 0; n < count; n += 1) {
    await graph.app.seed.ensureRequest('wdc', {
      source: 'demo',
      sourceID: String(n),
      subject: `Subject ${(n * 7) % 10}`,
      status: statuses[n % 3] as string,
      requestedById: 2,
      createdAt: new Date(Date.UTC(2026, 0, 1 + ((n * 5) % 8))),
    });
  }
  const project = `mutation ($input: ProjectCreateInput!) { projectCreate(input: $input) { errors { message } } }`;
  for (const day of [null, '2026-05-03', '2026-05-01', null, '2026-05-02', '2026-05-01', null]) {
    await specialist.ask('projectCreate', project, { input: { subject: 'p', endDate: day } });
  }
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

interface Page {
  readonly nodes: readonly Record<string, unknown>[];
  readonly edges: readonly { readonly cursor: string }[];
  readonly pageInfo: Readonly<Record<string, string | boolean | null>>;
}

const page = (root: string, field: string, args: string): Promise<Page> =>
  specialist.ask(
    root,
    `{ ${root}(${args}) { nodes { id ${field === 'id' ? '' : field} } edges { cursor }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
  );

/** All nodes of the connection, read page by page in one direction. */
async function walk(root: string, field: string, order: string, forward: boolean): Promise<unknown[]> {
  const all: unknown[] = [];
  let cursor: unknown = null;
  for (let pages = 0; pages < 30; pages += 1) {
    const at: string = cursor === null ? '' : `, ${forward ? 'after' : 'before'}: ${JSON.stringify(cursor)}`;
    const { nodes, pageInfo } = await page(root, field, `${forward ? 'first' : 'last'}: 4, order: ${order}${at}`);
    if (forward) all.push(...nodes);
    else all.unshift(...nodes);
    if (pageInfo[forward ? 'hasNextPage' : 'hasPreviousPage'] !== true) return all;
    cursor = pageInfo[forward ? 'endCursor' : 'startCursor'];
  }
  throw new Error('The walk does not end');
}

const roots: readonly (readonly [string, string])[] = [
  ...['id', 'createdAt', 'updatedAt', 'subject', 'status'].map((field) => ['requests', field] as const),
  ...['endDate', 'status', 'subject'].map((field) => ['projects', field] as const),
];

describe.each(roots)('%s in the order of %s', (root, field) => {
  test.each(['asc', 'desc'] as const)(
    '%s: pages from either end show every record once, in order',
    async (direction) => {
      const order = `[{ field: ${field}, direction: ${direction} }]`;
      const { nodes } = await page(root, field, `first: 100, order: ${order}`);
      expect(nodes).toHaveLength(root === 'requests' ? count : 7);
      const values = nodes.map((node) => (field === 'id' ? '' : JSON.stringify(node[field] ?? '')));
      const sorted = [...values].sort();
      expect(values).toEqual(direction === 'asc' ? sorted : sorted.reverse());
      expect(await walk(root, field, order, true)).toEqual(nodes);
      expect(await walk(root, field, order, false)).toEqual(nodes);
    },
  );
});

test('a cursor stays valid when its record is gone and while others are added', async () => {
  const order = 'order: [{ field: subject }]';
  const first = await page('requests', 'subject', `first: 5, ${order}`);
  const { cursor } = first.edges[4] ?? { cursor: '' };
  const rest = await page('requests', 'subject', `first: 100, ${order}, after: "${cursor}"`);
  const last = first.nodes[4]?.['id'] as string;
  const number = Number(Buffer.from(last, 'base64url').toString().split('/').pop());
  const gone = await graph.connection.collection<{ _id: number }>('requests').findOneAndDelete({ _id: number });
  await graph.app.seed.ensureRequest('wdc', { source: 'x', sourceID: 'early', subject: 'A', requestedById: 2 });
  expect((await page('requests', 'subject', `first: 100, ${order}, after: "${cursor}"`)).nodes).toEqual(rest.nodes);
  await graph.connection.collection<{ _id: number }>('requests').insertOne(gone as never);
  await graph.connection.collection('requests').deleteOne({ 'values.sourceID': 'early' });
});

test('after and before together select what lies between the cursors', async () => {
  const order = 'order: [{ field: status, direction: desc }]';
  const { nodes, edges } = await page('requests', 'status', `first: 20, ${order}`);
  const between = `${order}, after: "${edges[2]?.cursor}", before: "${edges[7]?.cursor}"`;
  expect((await page('requests', 'status', `first: 10, ${between}`)).nodes).toEqual(nodes.slice(3, 7));
  expect((await page('requests', 'status', `last: 2, ${between}`)).nodes).toEqual(nodes.slice(5, 7));
});

test.each([
  ['order: [{ field: subject }, { field: subject }]', /names subject twice/],
  ['order: [{ field: subject }, { field: status }, { field: createdAt }, { field: id }]', /takes at most 3 fields/],
  ['order: [{ field: subject }], after: "aWQ6MQ"', /is not a cursor/],
  ['order: [{ field: impact }]', /does not exist/],
])('%s is refused', async (args, message) => {
  const { errors } = await specialist.graphql(`{ requests(first: 1, ${args}) { totalCount } }`);
  expect(errors?.[0]?.message).toMatch(message);
});

describe.each([
  ['[{ field: status }, { field: updatedAt }]', ['status', 'updatedAt', 'id']],
  ['[{ field: status, direction: desc }, { field: updatedAt }]', ['-status', 'updatedAt', 'id']],
  ['[{ field: status, direction: desc }, { field: id }]', ['-status', 'id']],
  ['[{ field: status }, { field: id, direction: desc }]', ['status', '-id']],
  ['[{ field: subject, direction: desc }, { field: id }]', ['-subject', 'id']],
  [
    '[{ field: subject }, { field: status, direction: desc }, { field: createdAt }]',
    ['subject', '-status', 'createdAt', 'id'],
  ],
])('in the order %s', (order, steps) => {
  const numberOf = (id: unknown) => Number(Buffer.from(String(id), 'base64url').toString().split('/').pop());
  const compare = (a: Record<string, unknown>, b: Record<string, unknown>): number => {
    for (const step of steps) {
      const field = step.replace('-', '');
      const [one, other] = [a, b].map((node) => (field === 'id' ? numberOf(node['id']) : String(node[field])));
      if (one !== other) return one! < other! === step.startsWith('-') ? 1 : -1;
    }
    return 0;
  };

  test('pages from either end contain every record once', async () => {
    const fields = 'subject status createdAt updatedAt';
    const { nodes } = await page('requests', fields, `first: 100, order: ${order}`);
    expect(nodes).toHaveLength(count);
    expect(nodes).toEqual([...nodes].sort(compare));
    expect(await walk('requests', fields, order, true)).toEqual(nodes);
    expect(await walk('requests', fields, order, false)).toEqual(nodes);
  });

  test('REST sorts the same way, by cursor and by page number', async () => {
    const sort = steps.map((step) => step.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).join(',');
    const asked = /\bid\b/.test(order) ? sort : sort.replace(/,-?id$/, '');
    const ids = async (query: string) => {
      const { body, headers } = await specialist.get(`/v1/requests?fields=id&sort=${asked}${query}`).expect(200);
      return { ids: (body as { id: number }[]).map(({ id }) => id), link: headers['link'] ?? '' };
    };
    const all = (await page('requests', 'status', `first: 100, order: ${order}`)).nodes.map(({ id }) => numberOf(id));
    expect((await ids('&per_page=100')).ids).toEqual(all);
    const numbered = await Promise.all([1, 2, 3, 4, 5].map((n) => ids(`&per_page=5&page=${n}`)));
    expect(numbered.flatMap((one) => one.ids)).toEqual(all);
    const { link } = await ids('&per_page=9');
    const next = /search_after=([\w-]+)/.exec(link)?.[1];
    expect((await ids(`&per_page=9&search_after=${next}`)).ids).toEqual(all.slice(9, 18));
  });
});

test.each([
  ['-status,id', ['completed', { $gt: '' }], 400],
  ['-status,id', [{ $gt: '' }, 1], 400],
  ['-status,id', ['completed', 'x'], 400],
  ['-status,id', [7, 1], 400],
  ['-status,id', ['never', 1], 200],
  ['id', [{ $ne: 1 }], 400],
  ['id', [true], 400],
  ['created_at,id', ['2026', 1], 400],
])('a cursor made by hand for %s with %j is answered %i', async (order, key, status) => {
  const cursor = Buffer.from(JSON.stringify([order, key, 1])).toString('base64url');
  for (const parameter of ['search_after', 'search_before']) {
    const sort = order === 'id' ? '' : `sort=${order}&`;
    await specialist.get(`/v1/requests?${sort}${parameter}=${cursor}`).expect(status);
  }
});

test('a cursor of another order is refused', async () => {
  const { edges } = await page('requests', 'subject', 'first: 1, order: [{ field: subject }]');
  const { errors } = await specialist.graphql(
    `{ requests(first: 1, order: [{ field: status }], after: "${edges[0]?.cursor}") { totalCount } }`,
  );
  expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
});

describe('filters', () => {
  const subjects = async (filter: string) =>
    (await page('requests', 'createdAt', `first: 100, filter: { ${filter} }`)).nodes.map(({ createdAt }) => createdAt);

  test.each([
    ['createdAt: { lessThan: "2026-01-03T00:00:00Z" }', (day: number) => day < 3],
    ['createdAt: { lessThanOrEqualTo: "2026-01-03T00:00:00Z" }', (day: number) => day <= 3],
    ['createdAt: { greaterThan: "2026-01-03T00:00:00Z" }', (day: number) => day > 3],
    [
      'createdAt: { greaterThanOrEqualTo: "2026-01-03T00:00:00Z", lessThan: "2026-01-05T00:00:00Z" }',
      (day: number) => day >= 3 && day < 5,
    ],
    ['createdAt: { values: ["2026-01-03T00:00:00Z"] }', (day: number) => day === 3],
    ['createdAt: { values: ["2026-01-03T00:00:00Z"], negate: true }', (day: number) => day !== 3],
  ])('%s', async (filter, holds) => {
    const days = Array.from({ length: count }, (_, n) => 1 + ((n * 5) % 8));
    const found = await subjects(filter);
    expect(found).toEqual(days.filter(holds).map((day) => `2026-01-0${day}T00:00:00Z`));
    expect(found.length).toBeGreaterThan(0);
  });

  test('filters by date, by boolean and by a person in a list', async () => {
    const ids = async (root: string, filter: string) =>
      (await page(root, 'id', `first: 10, filter: { ${filter} }`)).nodes.length;
    expect(await ids('projects', 'endDate: { greaterThan: "2026-05-01" }')).toBe(2);
    expect(await ids('projects', 'endDate: { values: [null] }')).toBe(3);
    await graph.app.seed.ensureTeam('wdc', { source: 's', sourceID: '1', name: 'Mine', memberIds: [2, 3] });
    expect(await ids('teams', `members: { values: ["${nodeId('Person', 3)}"] }, disabled: false`)).toBe(1);
    expect(await ids('teams', 'disabled: true')).toBe(0);
  });
});

describe.each(recordTypes.map((type) => [type.plural, type] as const))('indexes of %s', (plural, type) => {
  /** The stages of the query plan with a hint for the index. Without a SORT stage, the index provides the order. */
  const stagesAlong = async (index: string, where: object, sort: Record<string, 1 | -1>): Promise<string[]> => {
    const cursor = graph.connection.collection(plural).find(where).sort(sort).hint(index);
    const { queryPlanner } = (await cursor.explain('queryPlanner')) as { queryPlanner: { winningPlan: Plan } };
    return stagesOf(queryPlanner.winningPlan);
  };

  test.each(orderNames(type))('the order %s has an index', async (name) => {
    const path = name === 'id' ? '_id' : name === 'createdAt' || name === 'updatedAt' ? name : `values.${name}`;
    const index = name === 'id' ? 'account' : `account_${name}`;
    for (const direction of [1, -1] as const) {
      const sort = name === 'id' ? { _id: direction } : { [path]: direction, _id: direction };
      expect(await stagesAlong(index, { accountId: 'wdc' }, sort)).toEqual(['FETCH', `IXSCAN ${index}`]);
    }
  });

  test('each filter has an index that also provides the order by id', async () => {
    for (const { name, kind } of type.fields.filter(({ filterable }) => filterable)) {
      const condition = { property: name, in: [kind === 'text' ? 'x' : 1] };
      const [part] = partsOfSelection(type, { ...everything, conditions: [condition] });
      const cursor = graph.connection
        .collection(plural)
        .find({ accountId: 'wdc', ...part?.where, ...part?.open })
        .sort({ _id: 1 })
        .hint(part?.key ?? {});
      const { queryPlanner } = (await cursor.explain('queryPlanner')) as { queryPlanner: { winningPlan: Plan } };
      expect(stagesOf(queryPlanner.winningPlan)).not.toContain('SORT');
    }
  });

  const together = (type.indexedTogether ?? []).map(([filter, order]) => ({ filter, order }));
  if (together.length > 0)
    test.each(together)('frequent pairs of filter and order have a compound index', async ({ filter, order }) => {
      const where = { accountId: 'wdc', [`values.${filter}`]: 'x' };
      const index = `account_${filter}_${order}`;
      expect(await stagesAlong(index, where, { [order]: -1, _id: -1 })).toEqual(['FETCH', `IXSCAN ${index}`]);
    });

  test('free text and the records of one person have indexes', async () => {
    const words = await stagesAlong('account_words', { accountId: 'wdc', words: 'a' }, { _id: 1 });
    expect(words).toEqual(['FETCH', 'IXSCAN account_words']);
    if (typeof type.endUsersSee === 'string') return;
    const owners = await stagesAlong('account_owners', { accountId: 'wdc', owners: 1 }, { _id: 1 });
    expect(owners).toEqual(['FETCH', 'IXSCAN account_owners']);
  });
});

interface Plan {
  readonly stage: string;
  readonly indexName?: string;
  readonly inputStage?: Plan;
  readonly inputStages?: readonly Plan[];
}

const stagesOf = ({ stage, indexName, inputStage, inputStages = [] }: Plan): string[] => [
  indexName === undefined ? stage : `${stage} ${indexName}`,
  ...[...(inputStage ? [inputStage] : []), ...inputStages].flatMap(stagesOf),
];
