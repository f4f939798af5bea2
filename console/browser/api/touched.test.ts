/// <reference types="jest" />
import { parse } from '@0no-co/graphql.web';
import { isTouched } from './touched';

const documentOf = (text: string) => parse(text) as unknown as Parameters<typeof isTouched>[0];
const policyUpdate = documentOf(
  'mutation A($input: I!) { webhookPolicyUpdate(input: $input) { webhookPolicy { id } } }',
);
const requestCreate = documentOf(
  'mutation B($input: I!) { requestCreate(input: $input) { request { id team { id } } } }',
);

test.each([
  ['a list of its kind', 'query WebhookList { webhooks(first: 5) { nodes { id } } }', true, false],
  ['what shows it within another thing', 'query C { me { id requests(first: 5) { totalCount } } }', false, true],
  ['what belongs to it', 'query D { webhookDeliveries(first: 5) { nodes { id } } }', true, false],
  ['a fragment', 'query E { me { ...F } } fragment F on Person { requests(first: 1) { totalCount } }', false, true],
  ['another kind', 'query RequestTeams { teams(first: 5) { nodes { id prewebhook: name } } }', false, false],
])('%s: old after a write of a policy, of a request', (_what, query, byPolicy, byRequest) => {
  expect(isTouched(documentOf(query), policyUpdate)).toBe(byPolicy);
  expect(isTouched(documentOf(query), requestCreate)).toBe(byRequest);
});
