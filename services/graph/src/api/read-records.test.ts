import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';
import type { RequestSeed } from '../seed';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let specialist: Client;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
});
beforeEach(async () => {
  graph = await startGraph(mongo, keys);
  specialist = graph.as('specialist', { sub: '2' });
});
afterEach(() => graph.stop());
afterAll(async () => {
  await keys.close();
  await mongo.close();
});

const seed = (sourceID: string, request: Partial<RequestSeed> = {}, account = 'wdc') =>
  graph.app.seed.ensureRequest(account, {
    source: 'demo',
    sourceID,
    subject: `Request ${sourceID}`,
    requestedById: 2,
    ...request,
  });

interface Page {
  readonly nodes: readonly { readonly subject: string }[];
  readonly edges: readonly { readonly cursor: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean; readonly endCursor: string };
  readonly totalCount: number;
}

const page = (args: string, client = specialist): Promise<Page> =>
  client.ask<Page>(
    'requests',
    `{ requests(${args}) { totalCount nodes { subject } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
  );

const subjects = async (args: string, client = specialist): Promise<string[]> =>
  (await page(args, client)).nodes.map(({ subject }) => subject);

test('pages follow one another while requests are added', async () => {
  for (const n of ['1', '2', '3']) await seed(n);
  const first = await page('first: 2');
  expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true, hasPreviousPage: false } });

  await seed('4');
  const second = await page(`first: 2, after: "${first.pageInfo.endCursor}"`);
  expect(second.nodes).toEqual([{ subject: 'Request 3' }, { subject: 'Request 4' }]);
  expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
});

test('last reads from the end, before goes back', async () => {
  for (const n of ['1', '2', '3']) await seed(n);
  const { nodes, edges, pageInfo } = await page('last: 2, view: current_account');
  expect(nodes.map(({ subject }) => subject)).toEqual(['Request 2', 'Request 3']);
  expect(pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: false });
  expect(await subjects(`last: 2, before: "${edges[0]?.cursor}"`)).toEqual(['Request 1']);
});

test.each(['first: 0', 'first: 101', 'first: 1, last: 1', 'first: 1, after: "nonsense"'])(
  'the page %s is refused',
  async (args) => {
    const { errors } = await specialist.graphql(`{ requests(${args}) { totalCount } }`);
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  },
);

test('an end user sees what was requested by or for them, and nothing else', async () => {
  await seed('by', { requestedById: 5, requestedForId: 2 });
  await seed('for', { requestedById: 2, requestedForId: 5 });
  await seed('neither');
  for (const role of ['end_user', 'key_contact'] as const) {
    const mine = await page('first: 10', graph.as(role, { sub: '5' }));
    expect(mine.nodes).toEqual([{ subject: 'Request by' }, { subject: 'Request for' }]);
    expect(mine.totalCount).toBe(2);
  }
});

test.each(['specialist', 'auditor', 'account_administrator', 'directory_administrator'] as const)(
  'the role %s sees all requests of the account',
  async (role) => {
    await seed('1', { requestedById: 1 });
    expect(await subjects('first: 10', graph.as(role, { sub: '9' }))).toEqual(['Request 1']);
  },
);

test('another account finds nothing, in lists or as entities', async () => {
  const { id } = await seed('1');
  const acme = graph.as('account_administrator', {}, 'acme');
  expect(await page('first: 10', acme)).toMatchObject({ nodes: [], totalCount: 0 });
  expect(await entities(acme, [{ __typename: 'Request', id: nodeId('Request', id) }])).toEqual([null]);
});

test('a record is found by its number or node id, in its own account only', async () => {
  const { id } = await seed('1');
  const ids = [String(id), nodeId('Request', id), String(id + 1), `0x${id}`, '', '9'.repeat(40)];
  const query = `{ ${ids.map((one, index) => `r${index}: request(id: "${one}") { id number }`).join(' ')} }`;
  const [found, none] = [{ id: nodeId('Request', id), number: id }, null];
  expect((await specialist.graphql(query)).data).toEqual({
    r0: found,
    r1: found,
    r2: none,
    r3: none,
    r4: none,
    r5: none,
  });
  const acme = graph.as('account_administrator', {}, 'acme');
  expect((await acme.graphql(query)).data).toEqual({ r0: none, r1: none, r2: none, r3: none, r4: none, r5: none });
});

test('a token without the scope reads neither requests nor teams', async () => {
  const client = graph.as('specialist', { scopes: [{ effect: 'allow', actions: ['person:Read'] }] });
  const { data, errors } = await client.graphql('{ requests(first: 1) { totalCount } teams(first: 1) { totalCount } }');
  expect(data).toEqual({ requests: null, teams: null });
  expect(errors?.map(({ message }) => message).sort()).toEqual([
    'Missing required scope(s): request:Read',
    'Missing required scope(s): team:Read',
  ]);
});

describe('filters', () => {
  beforeEach(async () => {
    await seed('1', { status: 'completed', subject: 'Printer on fire (again?)' });
    await seed('2', { status: 'assigned', subject: 'New laptop', source: 'shop', requestedForId: 3 });
    await seed('3', { status: 'assigned', subject: 'A PRINTER, please', impact: 'low' });
  });

  test.each([
    ['status: { values: [assigned] }', ['New laptop', 'A PRINTER, please']],
    ['status: { values: [assigned], negate: true }', ['Printer on fire (again?)']],
    ['status: { values: [assigned, completed] }, source: { values: ["shop"] }', ['New laptop']],
    ['sourceID: { values: ["1", "3"] }', ['Printer on fire (again?)', 'A PRINTER, please']],
    ['impact: { values: [null] }', ['Printer on fire (again?)', 'New laptop']],
    ['impact: { values: [null], negate: true }', ['A PRINTER, please']],
    [`requestedFor: { values: ["${nodeId('Person', 3)}"] }`, ['New laptop']],
    ['query: "printer"', ['Printer on fire (again?)', 'A PRINTER, please']],
    ['query: "(again?)"', ['Printer on fire (again?)']],
    ['query: ".*"', []],
    [`sourceID: { values: [${'"1",'.repeat(100)}] }`, ['Printer on fire (again?)']],
    ['id: null, source: { values: ["shop"] }', ['New laptop']],
  ])('%s', async (filter, expected) => {
    expect(await subjects(`first: 10, filter: { ${filter} }`)).toEqual(expected);
  });

  test.each([
    ['team: { values: ["one"] }', /^filter\.team: teamId was not found/],
    [`query: "${'x'.repeat(129)}"`, /^filter\.query is longer than 128/],
    [`sourceID: { values: [${'"x",'.repeat(101)}] }`, /^filter\.sourceID has more than 100 values/],
  ])('%s is refused', async (filter, message) => {
    const { errors } = await specialist.graphql(`{ requests(first: 1, filter: { ${filter} }) { totalCount } }`);
    expect(errors?.[0]?.message).toMatch(message);
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});

describe('the id of a record', () => {
  interface Identified {
    readonly id: string;
    readonly number: number;
    readonly requestId: string;
  }
  const identified = async (filter = '', client = specialist) =>
    (
      await client.ask<{ readonly nodes: readonly Identified[] }>(
        'requests',
        `{ requests(first: 10, ${filter}) { nodes { id number requestId } } }`,
      )
    ).nodes;

  test('is its number too, and filters find it by either', async () => {
    for (const name of ['1', '2', '3']) await seed(name);
    const [first, second, third] = await identified();
    expect(second?.requestId).toBe(String(second?.number));
    const filters = {
      [`id: { values: ["${second?.id}"] }`]: [second],
      [`requestId: { values: ["${second?.number}"] }`]: [second],
      [`requestId: { values: [${second?.number}, ${third?.number}] }`]: [second, third],
      [`id: { values: ["${second?.id}"], negate: true }`]: [first, third],
      [`id: { values: ["${second?.id}"] }, requestId: { values: [${third?.number}] }`]: [],
      [`id: { values: ["${nodeId('Team', second?.number ?? 0)}", "x", null] }`]: [],
      [`requestId: { values: ["-1", "1e0"] }`]: [],
    };
    for (const [filter, expected] of Object.entries(filters))
      expect([filter, await identified(`filter: { ${filter} }`)]).toEqual([filter, expected]);
  });

  test('of another account finds nothing', async () => {
    await seed('1');
    const [own] = await identified();
    const acme = graph.as('account_administrator', {}, 'acme');
    expect(await identified(`filter: { id: { values: ["${own?.id}"] } }`, acme)).toEqual([]);
  });

  test('has at most 100 values', async () => {
    const values = Array.from({ length: 101 }, (_, index) => index + 1).join(', ');
    const { errors } = await specialist.graphql(
      `{ requests(first: 1, filter: { requestId: { values: [${values}] } }) { totalCount } }`,
    );
    expect(errors?.[0]?.message).toBe('filter.requestId has more than 100 values');
  });
});

const entities = (client: Client, representations: readonly object[]): Promise<unknown[]> =>
  client.ask<unknown[]>(
    '_entities',
    `query ($representations: [_Any!]!) { _entities(representations: $representations) {
      ... on Request { subject } ... on Team { name }
    } }`,
    { representations },
  );

test('entities are resolved in the requested order, unknown ones to null', async () => {
  const { id } = await seed('1');
  const team = await graph.app.seed.ensureTeam('wdc', { source: 'd', sourceID: '1', name: 'Network', memberIds: [] });
  expect(
    await entities(specialist, [
      { __typename: 'Team', id: nodeId('Team', team.id) },
      { __typename: 'Request', id: nodeId('Request', 99) },
      { __typename: 'Request', id: nodeId('Request', id) },
      { __typename: 'Request', id: nodeId('Team', team.id) },
      { __typename: 'Request', id: 'nonsense' },
    ]),
  ).toEqual([{ name: 'Network' }, null, { subject: 'Request 1' }, null, null]);
});

test('an entity needs its scope and the same rights as the list', async () => {
  const { id } = await seed('1', { requestedById: 2 });
  const representations = [{ __typename: 'Request', id: nodeId('Request', id) }];
  expect(await entities(graph.as('end_user', { sub: '5' }), representations)).toEqual([null]);
  const blind = graph.as('specialist', { scopes: [{ effect: 'allow', actions: ['team:Read'] }] });
  await expect(entities(blind, representations)).rejects.toThrow('Missing required scope(s): request:Read');
});

test('an end user reads the team of their request', async () => {
  const team = await graph.app.seed.ensureTeam('wdc', { source: 'd', sourceID: '1', name: 'Network', memberIds: [] });
  await seed('1', { requestedById: 5, teamId: team.id });
  const query = '{ requests(first: 1) { nodes { team { id name } } } }';
  expect(await graph.as('end_user', { sub: '5' }).ask('requests.nodes', query)).toEqual([
    { team: { id: nodeId('Team', team.id), name: 'Network' } },
  ]);
});

test('the members of a team are references in pages', async () => {
  await graph.app.seed.ensureTeam('wdc', { source: 'd', sourceID: '1', name: 'Network', memberIds: [9, 7, 8] });
  const members = '{ totalCount nodes { id } pageInfo { hasNextPage } }';
  const query = `{ teams(first: 1) { nodes { name disabled head: members(first: 2) ${members} tail: members(last: 1) ${members} } } }`;
  expect(await specialist.ask('teams.nodes', query)).toEqual([
    {
      name: 'Network',
      disabled: false,
      head: {
        totalCount: 3,
        nodes: [{ id: nodeId('Person', 7) }, { id: nodeId('Person', 8) }],
        pageInfo: { hasNextPage: true },
      },
      tail: { totalCount: 3, nodes: [{ id: nodeId('Person', 9) }], pageInfo: { hasNextPage: false } },
    },
  ]);
});

test('equal counts under several aliases are one query', async () => {
  const counts: unknown[] = [];
  const note = ({ commandName, command }: { commandName: string; command: object }) => {
    if (commandName === 'aggregate') counts.push(command);
  };
  const client = graph.connection.getClient();
  client.on('commandStarted', note);
  const aliases = Array.from({ length: 50 }, (_none, n) => `a${n}: requests(first: 1) { totalCount }`);
  const { data } = await specialist.graphql(`{ ${aliases.join(' ')} other: problems(first: 1) { totalCount } }`);
  client.off('commandStarted', note);
  expect(new Set(Object.values(data ?? {}).map((one) => JSON.stringify(one))).size).toBeLessThanOrEqual(2);
  expect(counts).toHaveLength(2);
});
