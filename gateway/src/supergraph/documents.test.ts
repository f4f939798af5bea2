import { buildSchema } from 'graphql';
import { heapMegabytes } from '../testing/heap';
import { createDocuments } from './documents';

const schema = buildSchema(/* GraphQL */ `
  type Query {
    me: Person
    people(first: Int, emails: [String]): PersonConnection
  }
  type Person {
    id: ID!
    name: String
  }
  type PersonConnection {
    totalCount: Int
  }
`);

const list = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => item(index)).join(' ');

/** What `count` distinct documents, each asked for twice, leave on the heap. */
function growth(count: number, document: (n: number) => string): number {
  const documents = createDocuments(schema);
  documents(document(0), undefined);
  const before = heapMegabytes();
  for (let n = 1; n <= count; n += 1) for (let sight = 0; sight < 2; sight += 1) documents(document(n), undefined);
  const grown = heapMegabytes() - before;
  documents(document(0), undefined);
  return grown;
}

/** Without bounds the largest of them would take half as much again as is permitted. */
const documentCount = 36;
const mostMegabytes = 24;

test.each([
  [
    'list items',
    (n: number) => `query Q${n}($n: Int!) { people(first: $n, emails: [${list(9_950, () => '""')}]) { totalCount } }`,
  ],
  ['response keys', (n: number) => `query Q${n} { me { ${list(400, (i) => `key${i}_${n}: name`)} } }`],
  ['faults', (n: number) => `query Q${n}(${list(1_600, (i) => `$v${i}_${n}: Int = 1`)}) { me { id } }`],
  [
    'operations',
    (n: number) =>
      `fragment F on Query { ${list(400, (i) => `k${i}: me { id }`)} } ${list(100, (i) => `query Q${i}_${n} { ...F }`)}`,
  ],
])(
  'distinct documents with many %s leave the heap small',
  (_name, document) => {
    expect(growth(documentCount, document)).toBeLessThan(mostMegabytes);
  },
  60_000,
);

test('a document that comes back is read once', () => {
  const documents = createDocuments(schema);
  const [, second, third] = [1, 2, 3].map(() => documents('{ me { id } }', undefined));
  expect(third).toBe(second);
});

test('no flood of refused documents pushes out what is accepted', () => {
  const documents = createDocuments(schema);
  const ask = () => documents('{ me { id } }', undefined);
  const [, known] = [ask(), ask()];
  const filling = '# '.padEnd(200_000, 'x');
  for (let n = 0; n < 200; n += 1) documents(`{ nothing${n} } ${filling}`, undefined);
  expect(ask()).toBe(known);
});

test('each operation of a document is its own', () => {
  const documents = createDocuments(schema);
  const text = 'query A { me { id } } query B { me { name } }';
  const names = ['A', 'B', 'A', 'B', 'A', 'B'].map((name) => {
    const prepared = documents(text, name);
    return prepared.kind === 'valid' ? prepared.node.name?.value : undefined;
  });
  expect(names).toEqual(['A', 'B', 'A', 'B', 'A', 'B']);
});
