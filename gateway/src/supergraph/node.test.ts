import { compose } from './supergraph-source';
import { nodeOwnersOf } from './node-owners';
import { nodeIdOf } from '../testing/fake-services';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const bothAccounts = { accounts: { wdc: ['specialist'], acme: ['specialist'] } } as const;

async function ask(query: string, variables: object = {}, account = 'wdc') {
  const claims = { ...bothAccounts, accounts: { ...bothAccounts.accounts } } as object;
  const response = await gateway.post(
    gateway.auth.issue(claims),
    { query, variables },
    { 'x-service-account': account },
  );
  return (await response.json()) as { data?: Record<string, unknown>; errors?: unknown };
}

const text = `query ($id: ID!) { node(id: $id) {
  __typename id ... on Request { subject requestedBy { name } } ... on Person { name }
} }`;

test('records of every service are found by their id', async () => {
  const id = nodeIdOf('Request', 2);
  expect(await ask(text, { id })).toEqual({
    data: { node: { __typename: 'Request', id, subject: 'Request 2', requestedBy: { name: 'Person 7' } } },
  });
  const person = nodeIdOf('Person', 7);
  expect(await ask(text, { id: person })).toEqual({
    data: { node: { __typename: 'Person', id: person, name: `Person ${person}` } },
  });
});

test.each([
  ['malformed', 'no id!'],
  ['empty', ''],
  ['of a number', '7'],
  ['without type', Buffer.from('service.example').toString('base64url')],
  ['of an unknown type', nodeIdOf('Unicorn', 1)],
  ['of a type that is no record', nodeIdOf('RateLimit', 1)],
  ['of a prototype', nodeIdOf('__proto__', 1)],
  ['of an unknown record', nodeIdOf('Request', 404)],
  ['of a person that is not found', nodeIdOf('Person', 404)],
  ['too long', nodeIdOf('Request', '1'.repeat(5_000))],
])('an id that is %s is null, also when only the id is selected', async (_name, id) => {
  expect(await ask(text, { id })).toEqual({ data: { node: null } });
  expect(await ask('query ($id: ID!) { node(id: $id) { id } }', { id })).toEqual({ data: { node: null } });
});

test('a record of another account is null', async () => {
  const id = nodeIdOf('Request', 1);
  expect(await ask('query ($id: ID!) { node(id: $id) { id } }', { id })).toEqual({ data: { node: { id } } });
  expect(await ask('query ($id: ID!) { node(id: $id) { id } }', { id }, 'acme')).toEqual({ data: { node: null } });
});

test('a missing scope is an error that does not reveal the record', async () => {
  expect(await ask(text, { id: nodeIdOf('Request', 3) })).toEqual({
    data: { node: null },
    errors: [{ message: 'Missing required scope(s): request:Read', path: ['node'], extensions: { code: 'FORBIDDEN' } }],
  });
});

test('several nodes of one call share a request, and a missing one does not affect the others', async () => {
  const query = `{ a: node(id: "${nodeIdOf('Request', 1)}") { id } b: node(id: "x") { id }
    c: node(id: "${nodeIdOf('Request', 2)}") { ... on Request { subject } } }`;
  expect(await ask(query)).toEqual({
    data: { a: { id: nodeIdOf('Request', 1) }, b: null, c: { subject: 'Request 2' } },
  });
});

test('the connections below a node are priced', async () => {
  const query = `{ node(id: "${nodeIdOf('Request', 1)}") { ... on Request { requests(first: 101) { totalCount } } } }`;
  expect(await ask(query)).toMatchObject({ errors: [{ extensions: { code: 'PAGE_SIZE_OUT_OF_RANGE' } }] });
});

test('an unreachable service is an error, not a missing record', async () => {
  const stopped = await startGateway();
  try {
    await stopped.graph.stop();
    const query = `{ node(id: "${nodeIdOf('Request', 1)}") { id } me { id } }`;
    const response = await stopped.post(stopped.auth.issue(), { query });
    expect(await response.json()).toEqual({
      data: { node: null, me: { id: '1' } },
      errors: [{ message: 'Service Unavailable', path: ['node'], extensions: { code: 'SERVICE_UNAVAILABLE' } }],
    });
  } finally {
    await stopped.close();
  }
});

test('the owner of a record is the service that declares it, not one that extends it', () => {
  const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])';
  const adding = `${link} type Hook @key(fields: "id") { id: ID! deliveries: Int } type Query { a: Int }`;
  const owning = `${link} interface Node { id: ID! } type Hook implements Node @key(fields: "id") { id: ID! } type Query { b: Hook }`;
  const sdl = compose(
    new Map([
      ['adding', adding],
      ['owning', owning],
    ]),
  );
  expect([...nodeOwnersOf(sdl)]).toEqual([['Hook', 'owning']]);
});
