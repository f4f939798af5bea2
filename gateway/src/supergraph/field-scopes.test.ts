import { parse, print } from 'graphql';
import { allowed, allowedReference } from '@itsm/shared/api/graphql/resolver';
import { declareScopes } from '@itsm/shared/api/graphql/declared-scopes';
import { connectionTypeDefs, sharedTypeDefs } from '@itsm/shared/api/graphql/schema';
import { fieldScopesOf } from './field-scopes';
import { compose } from './supergraph-source';

const nothing = () => Promise.resolve(null);

const people = declareScopes(
  parse(`${sharedTypeDefs} ${connectionTypeDefs('Person')}
    type Person implements Node @key(fields: "id") { id: ID! name: String boss: Person }
    extend type Person { secrets: [String!]! }
    type Query { people(first: Int): PersonConnection me: Person }`),
  {
    Query: { people: allowed('person:Read', nothing), me: allowed('me:Name', nothing) },
    Person: { __resolveReference: allowedReference('person:Read', nothing), secrets: allowed('secret:Read', nothing) },
  },
);
const requests = declareScopes(
  parse(`${sharedTypeDefs} ${connectionTypeDefs('Person')}
    type Person @key(fields: "id") { id: ID! requests: [Request!]! }
    type Request implements Node @key(fields: "id") { id: ID! parent: Request by: Person! watchers(first: Int): PersonConnection }
    type Query { requests: [Request!]! }`),
  {
    Query: { requests: allowed('request:Read', nothing) },
    Person: { requests: allowed('request:Read', nothing) },
    Request: { __resolveReference: allowedReference('request:Read', nothing) },
  },
);

test("a field needs the scope of its resolver, and that of the record's service when it leads to another service", () => {
  expect(fieldScopesOf([people, requests])).toEqual({
    fields: {
      'Person.requests': 'request:Read',
      'Person.secrets': 'secret:Read',
      'Query.me': 'me:Name',
      'Query.people': 'person:Read',
      'Query.requests': 'request:Read',
      'Request.by': 'person:Read',
      'Request.watchers': 'person:Read',
    },
    types: { Person: 'person:Read', Request: 'request:Read' },
  });
});

test('scope declarations compose, and are not part of the API schema', () => {
  const sdls = new Map([
    ['people', print(people)],
    ['requests', print(requests)],
  ]);
  expect(compose(sdls)).not.toContain('requiresScope');
  expect(print(people)).toContain('name: String');
});
