import { buildSchema, getOperationAST, parse, specifiedRules, validate } from 'graphql';
import { compileFormula } from './formula';
import { priceDocument } from './price-document';

const schema = buildSchema(/* GraphQL */ `
  input TextFilter {
    values: [String]!
    negate: Boolean = false
  }
  input Range {
    lessThan: Int
  }
  scalar Status
  enum Impact {
    low
    high
  }
  input StatusFilter {
    values: [Status]!
    negate: Boolean = false
  }
  input ImpactFilter {
    values: [Impact]!
    negate: Boolean = false
  }
  input Filter {
    query: String
    status: StatusFilter
    impact: ImpactFilter
    name: TextFilter
    size: Range
    disabled: Boolean
  }
  type Item {
    id: ID!
    items(first: Int, filter: Filter, order: String): ItemConnection
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
    items(first: Int, filter: Filter, order: String): ItemConnection
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

const list = (length: number) => `[${Array.from({ length }, (_none, n) => `"${n}"`).join()}]`;
const times = (count: number, text: string) => Array.from({ length: count }, (_none, n) => `a${n}: ${text}`).join(' ');
const open = 'status: { values: ["completed"], negate: true }';

/** By hand: 1 for the connection, and what grows with the account. */
const byHand: (readonly [name: string, query: string, requests: number])[] = [
  ['nothing', '{ items(first: 9) { nodes { id } totalCount } }', 1],
  ['an empty filter', '{ items(first: 9, filter: {}) { totalCount } }', 1],
  ['a value', '{ items(first: 9, filter: { name: { values: ["a"] } }) { nodes { id } } }', 1],
  ['a single value for a list', '{ items(first: 9, filter: { name: { values: "a" } }) { nodes { id } } }', 1],
  ['null for a value', '{ items(first: 9, filter: { name: null, disabled: null }) { nodes { id } } }', 1],
  ['a value, counted', '{ items(first: 9, filter: { name: { values: ["a"] } }) { totalCount } }', 1],
  ['a flag, counted', '{ items(first: 9, filter: { disabled: true }) { totalCount } }', 1],
  ['bounds, counted', '{ items(first: 9, filter: { size: { lessThan: 3 } }) { totalCount } }', 1],
  ['open ones, in order, counted', `{ items(first: 9, order: "size", filter: { ${open} }) { totalCount } }`, 1],
  [
    'several choices and a narrow value',
    `{ items(first: 9, filter: { ${open}, impact: { values: [low], negate: true }, name: { values: ["a"] } }) { totalCount } }`,
    1,
  ],
  ['two broad conditions', `{ items(first: 9, filter: { ${open}, size: { lessThan: 3 } }) { nodes { id } } }`, 21],
  ['two broad ones, counted', `{ items(first: 9, filter: { ${open}, size: { lessThan: 3 } }) { totalCount } }`, 121],
  [
    'three broad',
    `{ items(first: 9, filter: { ${open}, size: { lessThan: 3 }, disabled: true }) { nodes { id } } }`,
    41,
  ],
  ['ten values', `{ items(first: 9, filter: { name: { values: ${list(10)} } }) { nodes { id } } }`, 1],
  ['eighty values', `{ items(first: 9, filter: { name: { values: ${list(80)} } }) { nodes { id } } }`, 71],
  ['many choices', `{ items(first: 9, filter: { status: { values: ${list(80)} } }) { nodes { id } } }`, 1],
  ['words', '{ items(first: 9, filter: { query: "printer" }) { nodes { id } } }', 101],
  ['words, counted', '{ items(first: 9, filter: { query: "printer" }) { totalCount } }', 201],
  ['a negated text', '{ items(first: 9, filter: { name: { values: ["a"], negate: true } }) { nodes { id } } }', 501],
  ['the same, counted', '{ items(first: 9, filter: { name: { values: ["a"], negate: true } }) { totalCount } }', 601],
  ['ten counts', `{ ${times(10, `items(first: 1, filter: { ${open} }) { totalCount }`)} }`, 10],
  ['ninety counts', `{ ${times(90, `items(first: 1, filter: { ${open} }) { totalCount }`)} }`, 90 + 8_000],
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
];

test.each(byHand)('a filter costs what grows with the account: %s', (_name, query, requests) => {
  const price = priceOf(query);
  expect(price).toMatchObject({ requests, cost: Math.max(1, Math.round(requests / 100)) });
  expect(price.breakdown.reduce((sum, one) => sum + one, 0)).toBe(requests);
});

test.each(byHand)('without a schema the price is the same: %s', (_name, query, requests) => {
  const answer = priceDocument({ query, variables: {}, operationName: undefined, schema: undefined });
  expect(answer).toMatchObject({ kind: 'priced', price: { requests } });
});

test('149 requests and an indexed value are one point', () => {
  const query = (filter: string) =>
    `{ items(first: 48${filter}) { nodes { items(first: 1) { nodes { id } } } } b: items(first: 99) { nodes { items(first: 1) { nodes { id } } } } }`;
  expect(priceOf(query(''))).toMatchObject({ requests: 149, cost: 1 });
  expect(priceOf(query(', filter: { status: { values: ["assigned"] } }'))).toMatchObject({ requests: 149, cost: 1 });
});

test('filters in variables have the same price, and skipped ones have none', () => {
  const query = `query ($filter: Filter, $values: [String]!, $negate: Boolean, $counted: Boolean!) {
    a: items(first: 9, filter: $filter) { nodes { id } totalCount @include(if: $counted) }
    b: items(first: 9, filter: { name: { values: $values, negate: $negate } }) { nodes { id } }
  }`;
  const values = Array.from({ length: 40 }, (_none, n) => `name ${n}`);
  const filter = { query: 'printer' };
  expect(priceOf(query, { filter, values, negate: true, counted: true }).requests).toBe(1 + 100 + 100 + 1 + 30 + 500);
  expect(priceOf(query, { filter, values, negate: false, counted: false }).requests).toBe(1 + 100 + 1 + 30);
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
