import { buildSchema, getOperationAST, parse } from 'graphql';
import { compileFormula } from './formula';

const schema = buildSchema(/* GraphQL */ `
  type Item {
    id: ID!
    parent: Item
    items(first: Int, last: Int): ItemConnection
  }
  type ItemConnection {
    nodes: [Item]
    totalCount: Int
  }
  type Query {
    me: Item
    items(first: Int, last: Int): ItemConnection
  }
`);

function formulaOf(query: string) {
  const document = parse(query);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('no operation');
  return compileFormula(schema, document, operation);
}

function refusals(query: string, variables: Record<string, unknown> = {}): readonly Record<string, unknown>[] {
  const compiled = formulaOf(query);
  const result = compiled.kind === 'compiled' ? compiled.formula(variables) : compiled;
  return result.kind === 'refused' ? result.errors.map(({ extensions }) => extensions) : [];
}

const three = (a: string, b: string, c: string): string =>
  `{ a: items(${a}) {\n nodes { b: items(${b}) {\n nodes { c: items(${c}) { totalCount } } } } } }`;

test('names the page size that has to be lowered the least', () => {
  const refused = refusals(three('first: 100', 'first: 100', 'first: 60'));
  expect(refused).toEqual([
    {
      code: 'NODE_LIMIT_EXCEEDED',
      field: 'items',
      line: 2,
      column: 10,
      value: 610_100,
      limit: 500_000,
      largestPageSize: 81,
    },
  ]);
  expect(refusals(three('first: 100', 'first: 81', 'first: 60'))).toEqual([]);
  expect(refusals(three('first: 100', 'first: 82', 'first: 60'))).toHaveLength(1);
});

test('a fragment that is spread twice has one page size', () => {
  const query = (size: number) => `{ me { ...F parent { ...F } } }
    fragment F on Item { items(first: ${size}) { nodes { items(first: 100) { nodes { items(first: 100) { totalCount } } } } } }`;
  const [refused] = refusals(query(60));
  expect(refused).toMatchObject({ code: 'NODE_LIMIT_EXCEEDED', field: 'items' });
  expect(refusals(query(24))).toEqual([]);
  expect(refusals(query(25))).toHaveLength(1);
});

test('when no page size alone is enough, none is suggested', () => {
  const wide = Array.from(
    { length: 3 },
    (_, i) => `k${i}: ${three('first: 100', 'first: 100', 'first: 100').slice(2, -1).replace('a: ', '')}`,
  );
  const [refused] = refusals(`{ ${wide.join(' ')} }`);
  expect(refused).toMatchObject({ code: 'NODE_LIMIT_EXCEEDED', field: 'items', value: 3_030_300 });
  expect(refused).not.toHaveProperty('largestPageSize');
});

test('page sizes that are missing or out of range are suggested together', () => {
  const refused = refusals(three('first: 100', 'first: 101', 'first: 0'));
  expect(refused).toMatchObject([
    { code: 'PAGE_SIZE_OUT_OF_RANGE', value: 101, line: 2, largestPageSize: 70 },
    { code: 'PAGE_SIZE_OUT_OF_RANGE', value: 0, line: 3, largestPageSize: 70 },
  ]);
  expect(refusals(three('first: 100', 'first: 70', 'first: 70'))).toEqual([]);
  expect(refusals(three('first: 100', 'first: 71', 'first: 71'))).toHaveLength(1);
  expect(refusals('{ items { totalCount } }')).toMatchObject([{ code: 'MISSING_PAGINATION', largestPageSize: 100 }]);
});

test('a price over the limit is lowered where the change is smallest', () => {
  const compiled = formulaOf(three('first: 100', 'first: 10', 'first: 5'));
  if (compiled.kind !== 'compiled') throw new Error('refused');
  expect(compiled.formula.cheaper({}, 10)).toEqual({ field: 'items', largestPageSize: 95, line: 1, column: 3 });
  expect(compiled.formula.cheaper({}, 11)).toEqual({ field: 'items', largestPageSize: 100, line: 3, column: 10 });
  expect(compiled.formula.cheaper({}, 0)).toEqual({});
});

test('__typename counts as a repetition, but not for depth or mutations', () => {
  const names = (count: number) => Array.from({ length: count }, (_, i) => `t${i}: __typename`).join(' ');
  expect(refusals(`{ me { ${names(501)} } }`)).toEqual([]);
  expect(refusals(`{ me { ${names(502)} } }`)).toMatchObject([{ code: 'REPETITION_LIMIT_EXCEEDED' }]);
  expect(refusals(`{ items(first: 100) { nodes { items(first: 100) { nodes { ${names(13)} } } } } }`)).toMatchObject([
    { code: 'REPETITION_LIMIT_EXCEEDED', value: 30_000 },
  ]);
  const chain = (leaf: string) => `{ me ${'{ parent '.repeat(12)} { ${leaf} } ${'}'.repeat(12)} }`;
  expect(refusals(chain('__typename'))).toEqual([]);
  expect(refusals(chain('id'))).toMatchObject([{ code: 'DEPTH_LIMIT_EXCEEDED' }]);
});

test('the expansion of fragments is limited in proportion to the document', () => {
  const doubling = (levels: number) =>
    `{ me { ...f0 } } ${Array.from({ length: levels }, (_, i) => `fragment f${i} on Item { a: parent { ...f${i + 1} } b: parent { ...f${i + 1} } }`).join(' ')} fragment f${levels} on Item { id }`;
  expect(refusals(doubling(5))).toEqual([]);
  expect(refusals(doubling(8))).toMatchObject([{ code: 'GRAPHQL_VALIDATION_FAILED', limit: 350 }]);
  const page = Array.from({ length: 30 }, (_, i) => `p${i}: items(first: 1) { nodes { ...Card } }`).join(' ');
  const card = `fragment Card on Item { id ${Array.from({ length: 9 }, (_, i) => `c${i}: parent { id }`).join(' ')} }`;
  expect(refusals(`{ ${page} } ${card}`)).toEqual([]);
});
