const list = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => item(index)).join(' ');

/**
 * For `floodSchema`: functions that make distinct documents by a number `n`, each of which takes much heap when cached.
 */
export const floods: readonly (readonly [name: string, document: (n: number) => string])[] = [
  [
    'list items',
    (n) => `query Q${n}($n: Int!) { people(first: $n, emails: [${list(9_950, () => '""')}]) { totalCount } }`,
  ],
  ['response keys', (n) => `query Q${n} { me { ${list(400, (i) => `key${i}_${n}: name`)} } }`],
  ['faults', (n) => `query Q${n}(${list(1_600, (i) => `$v${i}_${n}: Int = 1`)}) { me { id } }`],
  [
    'operations',
    (n) =>
      `fragment F on Query { ${list(400, (i) => `k${i}: me { id }`)} } ${list(100, (i) => `query Q${i}_${n} { ...F }`)}`,
  ],
];

export const floodSchema = /* GraphQL */ `
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
`;
