import { buildSchema } from 'graphql';
import { priceDocument } from './price-document';

const schema = buildSchema(/* GraphQL */ `
  type Item {
    id: ID!
    name: String
    parent: Item
    list: [Item]
    items(first: Int): ItemConnection
  }
  type ItemConnection {
    nodes: [Item]
    edges: [ItemEdge]
    pageInfo: PageInfo
    totalCount: Int
  }
  type ItemEdge {
    cursor: String
    node: Item
  }
  type PageInfo {
    hasNextPage: Boolean
  }
  type Query {
    items(first: Int): ItemConnection
  }
`);

/** The requests and points of a call, and the requests in its breakdown: with the schema, which is as without it. */
function priceOf(query: string, variables: Record<string, unknown> = {}) {
  const [typed, untyped] = [schema, undefined].map((known) =>
    priceDocument({ query, variables, operationName: undefined, schema: known }),
  );
  if (typed?.kind !== 'priced') throw new Error(JSON.stringify(typed?.errors));
  expect(untyped).toEqual(typed);
  const { requests, cost } = typed.price;
  return { requests, cost, breakdown: typed.breakdown.map((one) => one.requests) };
}

const names = (count: number) => Array.from({ length: count }, (_none, n) => `n${n}: name`).join(' ');
const twoLevels = (fields: string) => `{ items(first: 100) { nodes { items(first: 100) { nodes { ${fields} } } } } }`;

test('few values of each node are free', () => {
  expect(priceOf(twoLevels('id name'))).toEqual({ requests: 101, cost: 1, breakdown: [1, 100] });
});

test('ten thousand further values of a call are free; a hundred more cost a request', () => {
  expect(priceOf(twoLevels('id name parent { id }')).requests).toBe(101);
  expect(priceOf(twoLevels('id name parent { id name }'))).toEqual({ requests: 201, cost: 2, breakdown: [1, 200] });
  expect(priceOf(twoLevels(`id ${names(11)}`))).toEqual({ requests: 1_001, cost: 10, breakdown: [1, 1_000] });
});

test('the free ones are shared by all connections of the call', () => {
  const page = (alias: string) => `${alias}: ${twoLevels('id name parent { id }').slice(2, -2)}`;
  expect(priceOf(`{ ${page('a')} ${page('b')} }`)).toEqual({
    requests: 302,
    cost: 3,
    breakdown: [1, 100, 1, 200],
  });
});

test('what stands beside the nodes of a connection is counted once', () => {
  const counted = (more: string) =>
    `{ items(first: 100) { nodes { items(first: 100) { nodes { id name parent { id } } ${more} } } } }`;
  expect(priceOf(counted('totalCount')).requests).toBe(102);
  expect(priceOf(counted('totalCount pageInfo { hasNextPage }')).requests).toBe(103);
  expect(priceOf(counted('edges { cursor }')).requests).toBe(201);
});

test('values that @skip leaves out are free', () => {
  const query = `query ($no: Boolean!) ${twoLevels('id name parent { id } a: name @skip(if: $no)')}`;
  expect([true, false].map((no) => priceOf(query, { no }).requests)).toEqual([101, 201]);
});

test('a list without page size counts once', () => {
  const { price } = priceDocument({
    query: '{ items(first: 100) { nodes { items(first: 100) { nodes { list { id name parent { id } } } } } } }',
    variables: {},
    operationName: undefined,
    schema,
  }) as { price: object };
  expect(price).toMatchObject({ requests: 101 });
});
