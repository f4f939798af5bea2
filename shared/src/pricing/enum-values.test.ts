import { buildSchema } from 'graphql';
import { checkDocument } from './check-document';

const schema = buildSchema(`
  enum Status { assigned completed }
  input StatusFilter { values: [Status]! negate: Boolean = false }
  input Filter { status: StatusFilter subject: String }
  input Change { status: Status subject: String }
  type Request { status: Status! }
  type Query { requests(first: Int, filter: Filter): [Request] request(status: Status): Request }
  type Mutation { change(input: Change!): Request }
`);

const messagesFor = (query: string): string[] => {
  const checked = checkDocument(schema, query, undefined);
  return checked.kind === 'refused' ? checked.errors.map(({ message }) => message) : [];
};

test.each([
  '{ request(status: "assigned") { status } }',
  '{ request(status: assigned) { status } }',
  '{ request(status: """assigned""") { status } }',
  '{ requests(first: 1, filter: { status: { values: ["assigned", completed, null], negate: true } }) { status } }',
  '{ requests(first: 1, filter: { status: { values: "assigned" }, subject: "completed" }) { status } }',
  'query ($status: Status = "assigned") { request(status: $status) { status } }',
  'query ($of: [Status]! = ["assigned"]) { requests(first: 1, filter: { status: { values: $of } }) { status } }',
  'mutation { change(input: { status: "completed", subject: "assigned" }) { status } }',
])('a word of an enum may be a string: %s', (query) => {
  expect(messagesFor(query)).toEqual([]);
});

test.each([
  ['{ request(status: "lost") { status } }', 'Enum "Status" cannot represent non-enum value: "lost".'],
  ['{ request(status: lost) { status } }', 'Value "lost" does not exist in "Status" enum.'],
  ['{ request(status: "Assigned") { status } }', 'Enum "Status" cannot represent non-enum value: "Assigned".'],
  [
    'mutation { change(input: { status: assigned, subject: assigned }) { status } }',
    'String cannot represent a non string value: assigned',
  ],
])('any other word is refused: %s', (query, message) => {
  expect(messagesFor(query)).toEqual([expect.stringContaining(message)]);
});
