/// <reference types="jest" />
import { buildSchema } from 'graphql';
import { fixOf } from './fixes';
import { judge } from './question';
import type { Draft } from './question';

const schema = buildSchema(`
  type Query { requests(first: Int, last: Int, view: String): RequestConnection }
  type RequestConnection { nodes: [Request!]! pageInfo: PageInfo! totalCount: Int! }
  type PageInfo { hasNextPage: Boolean! }
  type Request { id: ID! notes(first: Int, last: Int): RequestConnection children(first: Int, last: Int): RequestConnection }
`);

function fixed(query: string, variables = ''): Draft {
  const draft = { query, variables, operation: undefined };
  const judgement = judge(draft, schema);
  if (judgement.kind !== 'judged' || judgement.answer.kind !== 'refused') throw new Error('It is not refused.');
  const fix = fixOf(judgement.answer.errors, query);
  if (!fix) throw new Error(judgement.answer.errors[0]?.message ?? '');
  const after = fix.apply(draft);
  const again = judge(after, schema);
  // The fixed query can be priced.
  expect(again.kind === 'judged' && again.answer.kind).toBe('priced');
  return after;
}

test.each([
  ['a missing page size', '{ requests { totalCount } }', '{ requests(first: 100) { totalCount } }'],
  ['one beside others', '{ requests(view: "x") { totalCount } }', '{ requests(first: 100, view: "x") { totalCount } }'],
  ['one that is too large', '{ requests(last: 500) { totalCount } }', '{ requests(last: 100) { totalCount } }'],
  ['two of them', '{ requests(first: 5, last: 5) { totalCount } }', '{ requests(first: 100, ) { totalCount } }'],
])('%s is fixed', (_what, query, expected) => {
  expect(fixed(query).query).toBe(expected);
});

test('several errors are fixed at once', () => {
  expect(fixed('{ requests { nodes { notes { totalCount } } } }').query).toBe(
    '{ requests(first: 100) { nodes { notes(first: 100) { totalCount } } } }',
  );
});

test('a page size in a variable is changed in the variables, and the others stay', () => {
  const query = 'query Q($n: Int!) { requests(first: $n) { nodes { notes(first: 2) { totalCount } } } }';
  const after = fixed(query, '{"n": 500, "other": true}');
  expect(after.query).toBe(query);
  expect(JSON.parse(after.variables)).toEqual({ n: 100, other: true });
});

test('a call with too many nodes fits afterwards', () => {
  const query =
    '{ requests(first: 100) { nodes { notes(first: 100) { nodes { children(first: 100) { totalCount } } } } } }';
  expect(fixed(query).query).not.toBe(query);
});

test('an error that no page size can fix has no fix', () => {
  const draft = { query: '{ nothing }', variables: '', operation: undefined };
  const judgement = judge(draft, schema);
  expect(
    judgement.kind === 'judged' && judgement.answer.kind === 'refused' && fixOf(judgement.answer.errors, draft.query),
  ).toBeUndefined();
});
