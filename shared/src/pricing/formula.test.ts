import { buildSchema, getIntrospectionQuery, getOperationAST, parse, specifiedRules, validate } from 'graphql';
import { compileFormula } from './formula';
import type { Evaluation } from './formula';

const schema = buildSchema(/* GraphQL */ `
  interface Node {
    id: ID!
  }
  type Item implements Node {
    id: ID!
    name: String
    parent: Item
    items(first: Int, last: Int, filter: [Int]): ItemConnection
    paged(first: Int = 100): ItemConnection
    timeline(first: Int): EventConnection
    list: [Item]
  }
  type ItemEdge {
    cursor: String
    node: Item
  }
  type ItemConnection {
    nodes: [Item]
    edges: [ItemEdge]
    totalCount: Int
  }
  type OtherConnection {
    nodes: [Other]
  }
  type Other implements Node {
    id: ID!
    list: [Other]
    others(first: Int): OtherConnection
    items(first: Int, last: Int): ItemConnection
  }
  union Event = Item | Other
  type EventConnection {
    nodes: [Event]
  }
  type RateLimit {
    cost: Int
  }
  type Query {
    me: Item
    items(first: Int, last: Int): ItemConnection
    rateLimit: RateLimit
  }
  type Payload {
    item: Item
  }
  type Mutation {
    create(name: String): Payload
    remove(name: String): Payload
  }
`);

function price(query: string, variables: Record<string, unknown> = {}): Evaluation {
  expect(validate(schema, parse(query), specifiedRules)).toEqual([]);
  return priceUnchecked(query, variables);
}

function priceUnchecked(query: string, variables: Record<string, unknown> = {}): Evaluation {
  const document = parse(query);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('no operation');
  const compiled = compileFormula(schema, document, operation);
  return compiled.kind === 'compiled' ? compiled.formula(variables) : compiled;
}

/** Writes `a:50{b:10}`, the notation of the vectors, as GraphQL. */
function connections(text: string): string {
  return text
    .replace(/(\w+)\((\d+)\)/g, '$1: items(first: $2)')
    .replace(/\{/g, '{ nodes {')
    .replace(/\}/g, '} }')
    .replace(/(items\(first: \d+\))(?!\s*\{)/g, '$1 { nodes { id } }');
}

test.each<[name: string, shape: string, nodes: number, requests: number, cost: number]>([
  ['two levels', 'r(50){i(10)}', 550, 51, 1],
  ['several branches', 'r(50){p(20){c(10)} i(20){c(10)}} f(10)', 22_060, 2_102, 21],
  ['the published cost example', 'r(100){i(50){l(60)}}', 305_100, 5_101, 51],
  ['a small root', 'r(10){c(100){k(100)}}', 101_010, 1_011, 10],
  ['a small middle', 'r(100){c(10){k(100)}}', 101_100, 1_101, 11],
  ['a small leaf', 'r(100){c(100){k(10)}}', 110_100, 10_101, 101],
  ['the specified example', 'a(100){b(10){c(5)}}', 6_100, 1_101, 11],
  ['a tie, rounded up', 'a(74){x(5)} b(74){x(5)}', 888, 150, 2],
  ['just below the tie', 'a(74){x(5)} b(73){x(5)}', 882, 149, 1],
  ['a tie after an even number, rounded up', 'a(100){x(5)} b(48){x(5)} c(99){x(1)}', 1_086, 250, 3],
  ['exactly the node limit', 'r1(100){a(100){b(48)}} r2(99){c(99)}', 500_000, 10_201, 102],
  ['wide parents, thin leaves', 'r(100){i(100){c(1){d(1){e(1)}}}}', 40_100, 30_101, 301],
  ['own page size changes nodes, not requests', 'r(100){i(100){c(1)}}', 20_100, 10_101, 101],
])('%s: %s', (_name, shape, nodes, requests, cost) => {
  expect(price(`{ ${connections(shape)} }`)).toMatchObject({ kind: 'priced', price: { nodes, requests, cost } });
});

test.each([
  ['more nodes than the limit', 'r1(100){a(100){b(48)}} r2(99){c(99)} r3(1)', 500_001],
  ['100 in each of three levels', 'r(100){c(100){k(100)}}', 1_010_100],
  ['50, 100, 100', 'r(50){c(100){k(100)}}', 505_050],
])('%s are refused with the specified text', (_name, shape, value) => {
  const refused = price(`{ ${connections(shape)} }`);
  expect(refused).toMatchObject({
    kind: 'refused',
    errors: [
      {
        message: 'Individual calls cannot request more than 500,000 total nodes.',
        extensions: { code: 'NODE_LIMIT_EXCEEDED', field: 'items', line: 1, value, limit: 500_000 },
      },
    ],
  });
});

test('ten levels of 100 are refused, not overflowed', () => {
  const nested = 'items(first: 100) { nodes { '.repeat(6) + 'id' + ' } }'.repeat(6);
  expect(price(`{ ${nested} }`)).toMatchObject({ errors: [{ extensions: { value: 1_010_101_010_100 } }] });
});

test('rateLimit counts as one request under each of its names', () => {
  const shape = connections('a(74){x(5)} b(73){x(5)}');
  expect(price(`{ ${shape} rateLimit { cost } }`)).toMatchObject({ price: { nodes: 882, requests: 150, cost: 2 } });
  expect(price('{ rateLimit { cost } }')).toMatchObject({ price: { nodes: 0, requests: 1, cost: 1 } });
  expect(price('{ a: rateLimit { cost } b: rateLimit { cost } }')).toMatchObject({ price: { requests: 2 } });
  expect(price('{ me { id } }')).toMatchObject({ price: { nodes: 0, requests: 0, cost: 1 } });
});

test('aliases are separate connections, the same response key is one', () => {
  expect(price('{ a: items(first: 100) { nodes { id } } b: items(first: 100) { nodes { id } } }')).toMatchObject({
    price: { nodes: 200, requests: 2 },
  });
  expect(price('{ items(first: 100) { nodes { id } } items(first: 100) { nodes { name } } }')).toMatchObject({
    price: { nodes: 100, requests: 1 },
  });
  expect(
    price(
      '{ items(first: 10) { nodes { items(first: 5) { totalCount } } } items(first: 10) { nodes { list { items(first: 5) { totalCount } } } } }',
    ),
  ).toMatchObject({ price: { nodes: 10 + 50 + 10 * 100 * 5, requests: 1 + 10 + 1_000 } });
});

test('a list without a page size counts like the largest page of a connection, where connections are below it', () => {
  const query = '{ me { list { name items(first: 5) { nodes { list { name } } } } } }';
  expect(price(query)).toMatchObject({ price: { nodes: 500, requests: 100, depth: 6 } });
});

test('a fragment is charged wherever it is spread, and nowhere else', () => {
  const fragment = 'fragment F on Item { items(first: 5) { totalCount } }';
  expect(
    price(`{ a: items(first: 10) { nodes { ...F } } b: items(first: 20) { nodes { ...F } } } ${fragment}`),
  ).toMatchObject({ price: { nodes: 180, requests: 32 } });
  expect(price(`{ me { ...F ... { ...F } } } ${fragment}`)).toMatchObject({ price: { nodes: 5, requests: 1 } });
});

test('page sizes in variables are read, defaults and nulls included', () => {
  const query = 'query ($n: Int) { items(first: $n) { nodes { items(first: $n) { totalCount } } } }';
  expect(price(query, { n: 100 })).toMatchObject({ price: { nodes: 10_100, requests: 101 } });
  expect(price(query, { n: 3 })).toMatchObject({ price: { nodes: 12, requests: 4 } });
  expect(price(query, { n: null })).toMatchObject({ errors: [{ extensions: { code: 'MISSING_PAGINATION' } }, {}] });
  expect(price(query, {})).toMatchObject({ errors: [{ extensions: { code: 'MISSING_PAGINATION' } }, {}] });
  expect(price(query, { n: 101 })).toMatchObject({
    errors: [{ extensions: { code: 'PAGE_SIZE_OUT_OF_RANGE', value: 101, limit: 100 } }, {}],
  });
  expect(price('{ me { paged { totalCount } } }')).toMatchObject({ price: { nodes: 100 } });
  expect(price('{ me { paged(first: null) { totalCount } } }')).toMatchObject({
    errors: [{ extensions: { code: 'MISSING_PAGINATION' } }],
  });
});

test.each([0, -1, 101, 2_147_483_647])('a page size of %d is out of range', (size) => {
  expect(price(`{\n  items(last: ${size}) { totalCount }\n}`)).toMatchObject({
    errors: [
      { extensions: { code: 'PAGE_SIZE_OUT_OF_RANGE', field: 'items', line: 2, column: 3, value: size, limit: 100 } },
    ],
  });
});

test('a connection without page size is refused, even when only totalCount is selected', () => {
  expect(price('{ items { totalCount } }')).toMatchObject({
    errors: [{ extensions: { code: 'MISSING_PAGINATION', field: 'items' } }],
  });
});

test('first and last together are refused', () => {
  expect(price('{ items(first: 3, last: 30) { totalCount } }')).toMatchObject({
    errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
  });
  expect(price('{ items(first: 3, last: null) { totalCount } }')).toMatchObject({ price: { nodes: 3 } });
});

test('@skip and @include are applied with the variables', () => {
  const query = `query ($with: Boolean!) {
    items(first: 10) @include(if: $with) { nodes { items(first: 10) { totalCount } } }
    other: items @skip(if: $with) { totalCount }
    never: items @include(if: false) { totalCount }
  }`;
  expect(price(query, { with: true })).toMatchObject({ price: { nodes: 110 } });
  expect(price(query, { with: false })).toMatchObject({ errors: [{ extensions: { code: 'MISSING_PAGINATION' } }] });
});

test('a field selected both with and without condition is counted', () => {
  const query = `query ($with: Boolean!) {
    items(first: 10) { totalCount }
    ... @include(if: $with) { items(first: 10) { nodes { items(first: 2) { totalCount } } } }
  }`;
  expect(price(query, { with: false })).toMatchObject({ price: { nodes: 10 } });
  expect(price(query, { with: true })).toMatchObject({ price: { nodes: 30 } });
});

test('the branches of a union are summed where they differ', () => {
  const query = `{ me { timeline(first: 10) { nodes {
    ... on Item { items(first: 5) { totalCount } }
    ... on Other { items(first: 7) { totalCount } }
  } } } }`;
  expect(price(query)).toMatchObject({ price: { nodes: 10 + 50 + 70, requests: 1 + 20 } });
});

test('the same response key on mutually exclusive types does not hide a connection', () => {
  const query = `{ me { timeline(first: 10) { nodes {
    ... on Item { list { id } }
    ... on Other { list { others(first: 100) { nodes { id } } } }
  } } } }`;
  expect(priceUnchecked(query)).toMatchObject({ price: { nodes: 10 + 10 * 100 * 100 } });
});

test('depth counts every field, the thirteenth level is the last', () => {
  const chain = (levels: number) => `{ me ${'{ parent '.repeat(levels - 2)} { name } ${'}'.repeat(levels - 2)} }`;
  expect(price(chain(13))).toMatchObject({ price: { depth: 13 } });
  expect(price(chain(14))).toMatchObject({
    errors: [{ extensions: { code: 'DEPTH_LIMIT_EXCEEDED', field: 'name', value: 14, limit: 13 } }],
  });
});

test('fragments add no depth, and skipped depth counts only when it is included', () => {
  expect(price('{ ... { me { ... on Item { ...F } } } } fragment F on Item { name }')).toMatchObject({
    price: { depth: 2 },
  });
  const deep = `query ($deep: Boolean!) { me { name ${'parent @include(if: $deep) { '.repeat(13)} name ${'}'.repeat(13)} } }`;
  expect(price(deep, { deep: false })).toMatchObject({ price: { depth: 2 } });
  expect(price(deep, { deep: true })).toMatchObject({ errors: [{ extensions: { value: 15 } }] });
});

test("GraphiQL's own introspection query is free", () => {
  expect(price(getIntrospectionQuery())).toMatchObject({ price: { depth: 0, nodes: 0, cost: 1 } });
});

test('introspection is allowed once per operation', () => {
  expect(price('{ a: __type(name: "Item") { name } b: __type(name: "Item") { name } }')).toMatchObject({
    errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED', field: '__type' } }],
  });
});

test.each([
  ['two fields', 'mutation { create { item { id } } remove { item { id } } }'],
  ['an alias', 'mutation { a: create { item { id } } b: create { item { id } } }'],
  ['a fragment', 'mutation { ...F } fragment F on Mutation { create { item { id } } remove { item { id } } }'],
  ['@skip', 'mutation { create { item { id } } remove @skip(if: true) { item { id } } }'],
])('more than one mutation is refused: %s', (_name, query) => {
  expect(price(query)).toMatchObject({ errors: [{ extensions: { code: 'TOO_MANY_MUTATIONS', value: 2, limit: 1 } }] });
});

test('the payload of a mutation is priced like a query', () => {
  expect(price('mutation { create { item { items(first: 5) { totalCount } } } }')).toMatchObject({
    price: { nodes: 5, requests: 1 },
  });
});

test('documents that expand exponentially are refused at once', () => {
  const bomb = Array.from(
    { length: 30 },
    (_, i) => `fragment f${i} on Item { a: parent { ...f${i + 1} } b: parent { ...f${i + 1} } }`,
  ).join(' ');
  // Expanding them would exceed the time limit of any test.
  expect(price(`{ me { ...f0 } } ${bomb} fragment f30 on Item { id }`)).toMatchObject({ kind: 'refused' });
});

test('excessively nested inline fragments are refused', () => {
  expect(price(`{ me { ${'... { '.repeat(200)} id ${'} '.repeat(200)} } }`)).toMatchObject({
    errors: [{ extensions: { code: 'DEPTH_LIMIT_EXCEEDED', limit: 100 } }],
  });
});

const repeated = (count: number, field: string): string =>
  Array.from({ length: count }, (_, i) => `key${i}: ${field}`).join(' ');

test.each([
  ['501 times at the root', `{ ${repeated(501, 'me { name }')} }`],
  ['300 connections of full pages', `{ ${repeated(300, 'items(first: 100) { nodes { id name } }')} }`],
  ['110 references of a hundred', `{ items(first: 100) { nodes { ${repeated(110, 'parent { name }')} } } }`],
  [
    'ten of every field of 305,100 nodes',
    `{ items(first: 100) { nodes { items(first: 50) { nodes { items(first: 60) { nodes { ${repeated(10, 'name')} } } } } } } }`,
  ],
])('a field may be repeated: %s', (_name, query) => {
  expect(price(query).kind).toBe('priced');
});

test.each([
  ['502 times at the root', `{ ${repeated(502, 'me { name }')} }`, 501, 500],
  ['across places', `{ me { ${repeated(300, 'name')} parent { ${repeated(300, 'name')} } } }`, 598, 500],
  [
    'four hundred references of a hundred',
    `{ items(first: 100) { nodes { ${repeated(400, 'parent { name }')} } } }`,
    78_000,
    20_000,
  ],
  [
    'twelve of 300,000 nodes',
    `{ items(first: 100) { nodes { items(first: 50) { nodes { items(first: 60) { nodes { ${repeated(12, 'name')} } } } } } } }`,
    600_000,
    20_000,
  ],
])('but not without limit: %s', (_name, query, value, limit) => {
  expect(price(query)).toMatchObject({
    kind: 'refused',
    errors: [{ extensions: { code: 'REPETITION_LIMIT_EXCEEDED', value, limit, line: 1 } }],
  });
});
