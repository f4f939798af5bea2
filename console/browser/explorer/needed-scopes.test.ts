/// <reference types="jest" />
import { buildSchema, parse } from 'graphql';
import { neededScopes } from './needed-scopes';

const schema = buildSchema(`
  interface Node { id: ID! }
  type Query { me: Person node(id: ID!): Node requests(first: Int): [Request!]! }
  type Mutation { requestCreate(subject: String): Request }
  type Person implements Node { id: ID! name: String }
  type Request implements Node { id: ID! notes: [Note!]! }
  type Note { text: String }
`);
const scopes = {
  actions: [],
  fields: {
    'Query.me': 'me:Name',
    'Query.requests': 'request:Read',
    'Request.notes': 'note:Read',
    'Mutation.requestCreate': 'request:Create',
  },
  types: { Person: 'person:Read' },
};
const needed = (text: string, operation?: string) => neededScopes(parse(text), operation, schema, scopes);

test('each field adds the action that it needs, once', () => {
  expect(needed('{ requests { notes { text } } again: requests { id } me { id } }')).toEqual([
    'me:Name',
    'note:Read',
    'request:Read',
  ]);
});

test('fragments count, and so do the types that node is narrowed to', () => {
  expect(needed('{ node(id: "1") { ...P } } fragment P on Person { name }')).toEqual(['person:Read']);
  expect(needed('{ node(id: "1") { ... on Person { name } id } }')).toEqual(['person:Read']);
});

test('only the selected operation counts', () => {
  const text = 'query Read { me { id } } mutation Make { requestCreate { id } }';
  expect(needed(text, 'Make')).toEqual(['request:Create']);
  expect(needed(text, 'Read')).toEqual(['me:Name']);
});

test('unknown fields need nothing', () => {
  expect(needed('{ gone { text } }')).toEqual([]);
});
