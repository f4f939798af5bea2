/// <reference types="jest" />
import { judge, titleOf } from './question';

const draft = (query: string, variables = '', operation: string | undefined = undefined) => ({
  query,
  variables,
  operation,
});

test.each([[''], ['  \n'], ['# nothing but words\n'], ['#']])('%j holds nothing to run', (query) => {
  expect(judge(draft(query), undefined)).toEqual({ kind: 'empty' });
});

test.each([['{"a":}'], ['[1]'], ['null'], ['"text"'], ['5']])('variables %s are said to be none', (variables) => {
  expect(judge(draft('{ me { id } }', variables), undefined)).toMatchObject({ kind: 'variables' });
});

test('of several operations the selected one is priced, or the first', () => {
  const query =
    'query One { a(first: 100) { nodes { b(first: 5) { totalCount } } } } query Two { a(first: 1) { totalCount } }';
  const requestsOf = (operation: string | undefined): number => {
    const judgement = judge(draft(query, '', operation), undefined);
    if (judgement.kind !== 'judged' || judgement.answer.kind !== 'priced') throw new Error('It is not priced.');
    return judgement.answer.price.requests;
  };
  expect(requestsOf('Two')).toBeLessThan(requestsOf('One'));
  expect(requestsOf(undefined)).toBe(requestsOf('One'));
  expect(requestsOf('Gone')).toBe(requestsOf('One'));
});

test.each([
  ['query Open { me { id } }', 'Open'],
  ['# query Not\n{ me { id } }', 'me'],
  ['mutation Make($a: Int) { x }', 'Make'],
  ['', 'New query'],
])('the title of %j is %s', (query, title) => {
  expect(titleOf(draft(query))).toBe(title);
});
