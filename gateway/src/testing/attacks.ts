const list = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => item(index)).join(' ');

const bomb = (levels: number, below = 'id'): string =>
  `{ request(id: 1) { ...f0 } } ${list(
    levels,
    (i) => `fragment f${i} on Request { ${below} a: parent { ...f${i + 1} } b: parent { ...f${i + 1} } }`,
  )} fragment f${levels} on Request { id }`;

/** Documents that would cost an unprotected server much more than their sender; each must be refused. */
export const attacks: readonly (readonly [name: string, document: string])[] = [
  ['fragments that double 8 times', bomb(8)],
  ['fragments that double 11 times', bomb(11)],
  ['fragments that double 24 times', bomb(24)],
  ['fragments that double 8 times, over services', bomb(8, 'requestedBy { name }')],
  ['a fragment cycle', '{ request(id: 1) { ...a } } fragment a on Request { ...b } fragment b on Request { ...a }'],
  ['a fragment within itself', '{ request(id: 1) { ...a } } fragment a on Request { parent { ...a } }'],
  ['a cycle that is never spread', '{ me { id } } fragment a on Request { ...b } fragment b on Request { ...a }'],
  [
    'a chain of 1,100 fragments',
    `{ request(id: 1) { ...f0 } } ${list(1_100, (i) => `fragment f${i} on Request { ...f${i + 1} }`)} fragment f1100 on Request { id }`,
  ],
  [
    'a net of 150 fragments',
    `{ request(id: 1) { ${list(150, (i) => `...f${i}`)} } } ${list(150, (i) => `fragment f${i} on Request { ${list(10, (j) => `...f${i + 1 + j}`)} id }`)} ${list(10, (j) => `fragment f${150 + j} on Request { id }`)}`,
  ],
  ['5,000 aliases', `{ ${list(5_000, (i) => `a${i}: __typename`)} }`],
  ['3,300 aliases', `{ ${list(3_300, (i) => `a${i}: __typename`)} }`],
  ['600 aliases of type names', `{ me { ${list(600, (i) => `a${i}: __typename`)} } }`],
  ['1,400 aliases of one field', `{ ${list(1_400, (i) => `a${i}: me { id }`)} }`],
  ['1,000 equal fields', `{ ${'me { id } '.repeat(1_000)} }`],
  ['4,900 equal leaves', `{ me { ${'id '.repeat(4_900)} } }`],
  [
    '900 equal fields in an operation that is not chosen',
    `query B { ${'me { id } '.repeat(900)} } query A { me { id } }`,
  ],
  ['20,000 levels', '{ a '.repeat(20_000)],
  ['3,000 levels that are closed', `{ request(id: 1) ${'{ parent '.repeat(3_000)}{ id }${'}'.repeat(3_000)} }`],
  ['20,000 lists', `{ request(id: ${'['.repeat(20_000)}`],
  ['900 inline fragments in one another', `{ me { ${'... { '.repeat(900)} id ${'} '.repeat(900)} } }`],
  ['4,900 unknown directives', `{ me ${'@no '.repeat(4_900)} { id } }`],
  ['1,200 equal directives', `{ me ${'@skip(if: false) '.repeat(1_200)} { id } }`],
  ['100 schemas', `{ ${list(100, (i) => `a${i}: __schema { types { name } }`)} }`],
  [
    'one schema many times as large',
    `{ __schema { types { ${list(480, (i) => `a${i}: fields { name description }`)} } } }`,
  ],
  ['a schema without end', `{ __schema { types { ${'fields { type { '.repeat(8)} name ${'} } '.repeat(8)} } } }`],
  ['1,600 unknown fields', `{ ${list(1_600, (i) => `reqests${i}`)} }`],
  ['2,000 unknown arguments', `{ requests(${list(2_000, (i) => `frist${i}: 1`)}) { totalCount } }`],
  ['1,200 unknown types', list(1_200, (i) => `fragment F${i} on Requst${i} { id }`)],
  ['1,600 variables', `query (${list(1_600, (i) => `$v${i}: Int = 1`)}) { me { id } }`],
  ['a huge page size', '{ requests(first: 99999999999999999999999999999999999999) { totalCount } }'],
  ['the largest page size of all', '{ requests(first: 2147483647) { totalCount } }'],
  ['six levels of full pages', `{ ${'requests(first: 100) { nodes { '.repeat(6)} id ${'} } '.repeat(6)} }`],
  ['a field of 250,000 letters', `{ ${'x'.repeat(250_000)} }`],
];
