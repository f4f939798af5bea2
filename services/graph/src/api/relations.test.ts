import { startEmbeddedMongo } from '@itsm/embedded-mongo';
import type { EmbeddedMongo } from '@itsm/embedded-mongo';
import { startCallerKeys } from '@itsm/shared/testing/caller-keys';
import type { CallerKeys } from '@itsm/shared/testing/caller-keys';
import { isLook } from '@itsm/shared/testing/store-commands';
import { nodeId, startGraph } from '../testing/start-graph';
import type { Client, RunningGraph } from '../testing/start-graph';

let mongo: EmbeddedMongo;
let keys: CallerKeys;
let graph: RunningGraph;
let specialist: Client;

beforeAll(async () => {
  [mongo, keys] = await Promise.all([startEmbeddedMongo(), startCallerKeys()]);
  graph = await startGraph(mongo, keys);
  specialist = graph.as('specialist', { sub: '2' });
  for (const id of [2, 3, 4]) await graph.publishPerson({ id });
});
afterAll(async () => {
  await graph.stop();
  await keys.close();
  await mongo.close();
});

async function create(member: string, type: string, input: object, client = specialist): Promise<string> {
  const mutation = `mutation ($input: ${type}CreateInput!) { ${member}Create(input: $input) { ${member} { id } errors { message path } } }`;
  const { [member]: record, errors } = await client.ask<Record<string, unknown>>(`${member}Create`, mutation, {
    input,
  });
  expect(errors).toEqual([]);
  return (record as { readonly id: string }).id;
}

const entities = <T>(type: string, ids: readonly string[], fields: string, client = specialist): Promise<T[]> =>
  client.ask<T[]>(
    '_entities',
    `query ($of: [_Any!]!) { _entities(representations: $of) { ... on ${type} { ${fields} } } }`,
    { of: ids.map((id) => ({ __typename: type, id })) },
  );

test('records lead to each other in both directions, page by page', async () => {
  const workflow = await create('workflow', 'Workflow', { subject: 'Move' });
  const other = await create('workflow', 'Workflow', { subject: 'Empty' });
  const tasks: string[] = [];
  for (const n of [1, 2, 3]) tasks.push(await create('task', 'Task', { subject: `Step ${n}`, workflowId: workflow }));
  const fields = `tasks(first: 2) { totalCount nodes { id workflow { id } } edges { cursor } pageInfo { hasNextPage endCursor } }
    tail: tasks(last: 1) { nodes { id } pageInfo { hasPreviousPage } }`;
  const [one, two] = await entities<Record<string, { edges: { cursor: string }[] }>>(
    'Workflow',
    [workflow, other],
    fields,
  );
  expect(one).toMatchObject({
    tasks: {
      totalCount: 3,
      nodes: [
        { id: tasks[0], workflow: { id: workflow } },
        { id: tasks[1], workflow: { id: workflow } },
      ],
      pageInfo: { hasNextPage: true },
    },
    tail: { nodes: [{ id: tasks[2] }], pageInfo: { hasPreviousPage: true } },
  });
  expect(two).toMatchObject({ tasks: { totalCount: 0, nodes: [], pageInfo: { hasNextPage: false, endCursor: null } } });
  const cursor = one?.['tasks']?.edges[1]?.cursor;
  expect(await entities('Workflow', [workflow], `tasks(first: 2, after: "${cursor}") { nodes { id } }`)).toEqual([
    { tasks: { nodes: [{ id: tasks[2] }] } },
  ]);
});

test('a person leads to what was requested by or for them, what is assigned to them, and their teams', async () => {
  const by = await create('request', 'Request', {
    subject: 'by',
    requestedById: nodeId('Person', 3),
    requestedForId: nodeId('Person', 4),
  });
  const mine = await create('request', 'Request', {
    subject: 'mine',
    requestedById: nodeId('Person', 3),
    requestedForId: nodeId('Person', 3),
  });
  const task = await create('task', 'Task', { subject: 't', memberId: nodeId('Person', 3) });
  const admin = graph.as('account_administrator', { sub: '2' });
  const team = await create(
    'team',
    'Team',
    { name: 'A', memberIds: [nodeId('Person', 4), nodeId('Person', 3)] },
    admin,
  );
  const fields = `requests(first: 5) { totalCount nodes { id } } tasks(first: 5) { nodes { id } } teams(first: 5) { totalCount nodes { id } }`;
  expect(await entities('Person', [nodeId('Person', 3), nodeId('Person', 4)], fields)).toEqual([
    {
      requests: { totalCount: 2, nodes: [{ id: by }, { id: mine }] },
      tasks: { nodes: [{ id: task }] },
      teams: { totalCount: 1, nodes: [{ id: team }] },
    },
    {
      requests: { totalCount: 1, nodes: [{ id: by }] },
      tasks: { nodes: [] },
      teams: { totalCount: 1, nodes: [{ id: team }] },
    },
  ]);
});

test("a person of another account leads to no record of this one, and a person's records are no more than the list shows", async () => {
  const person = nodeId('Person', 3);
  const requests = 'requests(first: 5) { totalCount nodes { id } }';
  const empty = [{ requests: { totalCount: 0, nodes: [] } }];
  expect(await entities('Person', [person], requests, graph.as('specialist', {}, 'acme'))).toEqual(empty);
  expect(await entities('Person', [person], requests, graph.as('end_user', { sub: '9' }))).toEqual(empty);
  const blind = graph.as('specialist', { scopes: [{ effect: 'allow', actions: ['person:Read'] }] });
  const answer = await blind.graphql(
    `query { _entities(representations: [{ __typename: "Person", id: "${person}" }]) { ... on Person { ${requests} } } }`,
  );
  expect(answer.errors?.[0]?.message).toBe('Missing required scope(s): request:Read');
});

test('an end user does not see the problem behind their request', async () => {
  const problem = await create('problem', 'Problem', { subject: 'Secret' });
  const request = await create('request', 'Request', {
    subject: 's',
    problemId: problem,
    requestedForId: nodeId('Person', 4),
  });
  const endUser = graph.as('end_user', { sub: '4' });
  expect(await entities('Request', [request], 'problem { subject }', specialist)).toEqual([
    { problem: { subject: 'Secret' } },
  ]);
  expect(await entities('Request', [request], 'problem { subject }', endUser)).toEqual([{ problem: null }]);
  const { body } = await endUser.get(`/v1/requests/${request}`).expect(200);
  expect(body).toMatchObject({ problem: null });
  expect(await endUser.ask('problems', '{ problems(first: 1) { totalCount } }')).toEqual({ totalCount: 0 });
});

/** The number of commands that the store received during `run`. */
async function storeReads(run: () => Promise<unknown>): Promise<number> {
  const client = graph.connection.getClient();
  let reads = 0;
  const listen = ({ commandName, command }: { readonly commandName: string; readonly command: object }) => {
    if (['find', 'aggregate', 'count', 'getMore'].includes(commandName) && !isLook(command)) reads += 1;
  };
  client.on('commandStarted', listen);
  await run();
  client.off('commandStarted', listen);
  return reads;
}

test('an answer of REST looks up only the names that it shows', async () => {
  const admin = graph.as('account_administrator', { sub: '2' });
  const team = await create('team', 'Team', { name: 'Named' }, admin);
  const problem = await create('problem', 'Problem', { subject: 'Named' });
  const given = { subject: 'Asked', team_id: team, problem_id: problem };
  const answer = await specialist.rest('post', '/v1/requests', given).expect(201);
  const body = answer.body as Readonly<Record<string, unknown>> & { readonly id: number };
  const path = `/v1/requests/${body.id}`;
  /** The collections in which names were looked up by ids during the call. */
  const lookedUp = async (call: () => PromiseLike<unknown>): Promise<readonly string[]> => {
    const found: string[] = [];
    const listen = ({ command }: { readonly command: Readonly<Record<string, unknown>> }) => {
      const { find, filter } = command;
      if (typeof find === 'string' && JSON.stringify(filter).startsWith('{"_id":{"$in":')) found.push(find);
    };
    const client = graph.connection.getClient();
    client.on('commandStarted', listen);
    await call();
    client.off('commandStarted', listen);
    // Not people, whom notices look for as well.
    return ['accounts', 'problems', 'teams'].filter((name) => found.includes(name));
  };
  const behind = { team: 'teams', problem: 'problems', account: 'accounts' };
  for (const [field, collection] of [['id', undefined] as const, ...Object.entries(behind)]) {
    const names = collection === undefined ? [] : [collection];
    const one = () => specialist.get(`${path}?fields=${field}`).expect(200);
    expect([field, await lookedUp(one)]).toEqual([field, names]);
    expect((await one()).body).toEqual({ id: body.id, [field]: body[field] });
    const list = () => specialist.get(`/v1/requests?fields=${field}`).expect(200);
    expect([field, await lookedUp(list)]).toEqual([field, names]);
    const change = () => specialist.rest('patch', `${path}?fields=${field}`, { subject: `Asked for ${field}` });
    // Its event names accounts and teams in any case.
    expect([field, (await lookedUp(() => change().expect(200))).includes('problems')]).toEqual([
      field,
      field === 'problem',
    ]);
  }
});

test('the number of store queries of three levels does not depend on the size of the pages', async () => {
  for (let n = 0; n < 6; n += 1) {
    const problem = await create('problem', 'Problem', { subject: `Problem ${n}` });
    for (let m = 0; m < 5; m += 1) {
      const request = await create('request', 'Request', { subject: `Request ${m}`, problemId: problem, note: 'One' });
      await specialist.ask(
        'requestUpdate',
        `mutation ($id: ID!) { requestUpdate(input: { id: $id, note: "Two", status: accepted }) { errors { message } } }`,
        { id: request },
      );
    }
  }
  const ask = (size: number) =>
    specialist.ask<{ requests: { nodes: { notes: { nodes: unknown[] }; auditLines: { nodes: unknown[] } }[] } }[]>(
      'problems.nodes',
      `{ problems(last: ${size}) { nodes { subject team { name }
        requests(first: ${size}) { totalCount nodes { subject workflow { id }
          notes(first: ${size}) { totalCount nodes { text record { id } } }
          auditLines(last: ${size}) { nodes { changes { field } } } } } } } }`,
    );
  // The platform itself reads whom it notifies.
  await graph.settled();
  const [small, large] = [await storeReads(() => ask(1)), await storeReads(() => ask(6))];
  expect(small).toBeGreaterThan(3);
  expect(large).toBe(small);
  const found = await ask(6);
  expect(found.map(({ requests }) => requests.nodes.length)).toEqual([5, 5, 5, 5, 5, 5]);
  const requests = found.flatMap(({ requests: { nodes } }) => nodes);
  expect(new Set(requests.map(({ notes, auditLines }) => `${notes.nodes.length} ${auditLines.nodes.length}`))).toEqual(
    new Set(['2 2']),
  );
});
