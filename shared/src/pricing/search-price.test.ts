import { buildSchema, getOperationAST, parse, specifiedRules, validate } from 'graphql';
import { compileFormula } from './formula';

const schema = buildSchema(/* GraphQL */ `
  input TextFilter {
    values: [String]!
    negate: Boolean = false
  }
  input Range {
    lessThan: Int
  }
  input Filter {
    query: String
    name: TextFilter
    size: Range
    disabled: Boolean
  }
  type Item {
    id: ID!
    items(first: Int, filter: Filter): ItemConnection
  }
  type ItemConnection {
    nodes: [Item]
    totalCount: Int
  }
  type Count {
    at: Int
  }
  type Query {
    counts(from: Int!, bucket: String!): [Count!]!
    items(first: Int, filter: Filter): ItemConnection
  }
`);

/** The requests and points of a call, and the breakdown of its connections. */
function priceOf(query: string, variables: Record<string, unknown> = {}) {
  const document = parse(query);
  expect(validate(schema, document, specifiedRules)).toEqual([]);
  const operation = getOperationAST(document);
  const compiled = operation && compileFormula(schema, document, operation);
  if (compiled?.kind !== 'compiled') throw new Error('refused');
  const { formula } = compiled;
  const evaluation = formula(variables);
  if (evaluation.kind !== 'priced') throw new Error('refused');
  return {
    requests: evaluation.price.requests,
    cost: evaluation.price.cost,
    breakdown: formula.breakdown(variables).map(({ requests }) => requests),
  };
}

test.each([
  ['nothing', '{ items(first: 9) { nodes { id } totalCount } }', 1],
  ['an empty filter', '{ items(first: 9, filter: {}) { totalCount } }', 1],
  ['a value', '{ items(first: 9, filter: { name: { values: ["a"] } }) { nodes { id } } }', 2],
  ['a single value for a list', '{ items(first: 9, filter: { name: { values: "a" } }) { nodes { id } } }', 2],
  ['null for a value', '{ items(first: 9, filter: { name: null, disabled: null }) { nodes { id } } }', 1],
  ['a flag', '{ items(first: 9, filter: { disabled: true }) { nodes { id } } }', 2],
  ['bounds', '{ items(first: 9, filter: { size: { lessThan: 3 } }) { nodes { id } } }', 21],
  ['words', '{ items(first: 9, filter: { query: "printer" }) { nodes { id } } }', 101],
  ['a negation', '{ items(first: 9, filter: { name: { values: ["a"], negate: true } }) { nodes { id } } }', 502],
  ['a count', '{ items(first: 9, filter: { disabled: true }) { totalCount } }', 102],
  [
    'each alias',
    '{ a: items(first: 9, filter: { query: "x" }) { totalCount } b: items(first: 9) { totalCount } }',
    202,
  ],
  [
    'each connection around it',
    '{ items(first: 9) { nodes { items(first: 2, filter: { query: "x" }) { nodes { id } } } } }',
    910,
  ],
])('a filter has a price: %s', (_name, query, requests) => {
  const price = priceOf(query);
  expect(price).toMatchObject({ requests, cost: Math.max(1, Math.round(requests / 100)) });
  expect(price.breakdown.reduce((sum, one) => sum + one, 0)).toBe(requests);
});

test('filters in variables have the same price, and skipped ones have none', () => {
  const query = `query ($filter: Filter, $values: [String]!, $negate: Boolean, $counted: Boolean!) {
    a: items(first: 9, filter: $filter) { nodes { id } totalCount @include(if: $counted) }
    b: items(first: 9, filter: { name: { values: $values, negate: $negate } }) { nodes { id } }
  }`;
  const values = Array.from({ length: 40 }, (_none, n) => `name ${n}`);
  const filter = { query: 'printer' };
  expect(priceOf(query, { filter, values, negate: true, counted: true }).requests).toBe(1 + 100 + 100 + 1 + 40 + 500);
  expect(priceOf(query, { filter, values, negate: false, counted: false }).requests).toBe(1 + 100 + 1 + 40);
  expect(priceOf(query, { filter: null, values: [], counted: true }).requests).toBe(2);
});

test('counting by time has the price of a count, for each alias', () => {
  const one = 'counts(from: 1, bucket: "hour") { at }';
  expect(priceOf(`{ ${one} }`)).toMatchObject({ requests: 100, cost: 1, breakdown: [] });
  expect(priceOf(`{ a: ${one} b: ${one} items(first: 9) { nodes { id } } }`)).toMatchObject({ requests: 201, cost: 2 });
  expect(priceOf(`query ($n: Boolean!) { ${one.replace(' {', ' @include(if: $n) {')} }`, { n: false }).requests).toBe(
    0,
  );
});
