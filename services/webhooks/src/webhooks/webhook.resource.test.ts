import { buildASTSchema, parse } from 'graphql';
import type { GraphQLInputObjectType, GraphQLObjectType } from 'graphql';
import { defaultOptions } from './webhook';
import { audited, restNames, shownInGraphql, takenByGraphql, webhookInputs, webhookResource } from './webhook.resource';

const scalars = 'scalar WebhookEvent scalar WebhookState scalar ISO8601Timestamp';
const schema = buildASTSchema(parse(`type Shown {${shownInGraphql}} input Taken {${takenByGraphql}} ${scalars}`));
const { newWebhook, webhookChanges } = webhookInputs(false);

/** The members that each list names, in REST names. */
const lists = {
  'what REST takes': Object.keys(newWebhook.in.shape),
  'what REST takes as a change': Object.keys(webhookChanges.in.shape),
  'what GraphQL takes': namesIn(schema.getType('Taken') as GraphQLInputObjectType),
  'what REST shows': Object.keys(webhookResource.fields),
  'what GraphQL shows': namesIn(schema.getType('Shown') as GraphQLObjectType),
  'what the audit compares': Object.keys(audited),
};

function namesIn(type: GraphQLInputObjectType | GraphQLObjectType): string[] {
  return Object.keys(type.getFields()).map((name) => restNames[name] ?? name);
}

test.each(Object.entries(lists))('%s has every option of a webhook', (what, names) => {
  const options = Object.keys(defaultOptions).map((name) => restNames[name] ?? name);
  // The policy is shown as a record of its own.
  const expected = what.includes('shows') ? options.filter((name) => name !== 'webhook_policy_id') : options;
  expect(expected.filter((name) => !names.includes(name))).toEqual([]);
});
