import { recordEventNames } from '@itsm/shared/contracts/events';
import { listArguments, listTypeDefs } from '@itsm/shared/api/graphql/list-arguments';
import { connectionArguments, connectionTypeDefs } from '@itsm/shared/api/graphql/schema';
import { webhookStates } from './webhook';
import { shownInGraphql, takenByGraphql } from './webhook.resource';

export const oneOfEvents = `One of ${recordEventNames.join(', ')}.`;

const filter = /* GraphQL */ `
  name: WebhookTextFilter
  event: WebhookEventFilter
  state: WebhookStateFilter
  disabled: Boolean
  "The policy that signs the calls; null selects webhooks without one."
  webhookPolicy: WebhookPolicyIdFilter
  source: WebhookTextFilter
  sourceID: WebhookTextFilter
  createdAt: WebhookTimestampFilter
  updatedAt: WebhookTimestampFilter
`;

/** SDL of the payload of a webhook mutation; `members`: its fields besides the webhook. */
export const webhookPayload = (name: string, members = ''): string => /* GraphQL */ `
  type ${name} {
    "Null when the input was refused."
    webhook: Webhook
    ${members}
    errors: [ValidationError!]!
    clientMutationId: String
  }
`;

/** SDL of an audit line type; `byItself`: the description of changes without a person. */
export const auditLineType = (name: string, byItself: string): string => /* GraphQL */ `
  type ${name} implements Node @key(fields: "id") {
    id: ID!
    action: WebhookAuditAction!
    "${byItself}"
    personID: ID
    "Null without person:Read as well."
    personName: String
    changes: [WebhookAuditChange!]!
    createdAt: ISO8601Timestamp!
  }
`;

/** SDL of webhooks; they are for account administrators. */
export const webhookTypeDefs = /* GraphQL */ `
  type Query {
    "The webhooks of the current account; for account administrators."
    webhooks(${connectionArguments}, ${listArguments('Webhook')}): WebhookConnection
    "Null when there is none with this id in the current account."
    webhook(id: ID!): Webhook
  }

  type Mutation {
    "Registers a webhook; its address gets webhook.verify at once, unless the account has verified it already."
    webhookCreate(input: WebhookCreateInput!): WebhookCreatePayload
    "A new address needs verification again; updating an unverified webhook sends webhook.verify again."
    webhookUpdate(input: WebhookUpdateInput!): WebhookUpdatePayload
    webhookDelete(input: WebhookIdInput!): WebhookDeletePayload
  }

  "${oneOfEvents}"
  scalar WebhookEvent

  enum WebhookState { ${webhookStates.join(' ')} }

  "Calls an address whenever an event occurs in the account."
  type Webhook implements Node @key(fields: "id") {
    ${shownInGraphql}
    "Present on a deleted webhook, which deliveries of the last 30 days still refer to, and node finds. Its state is disabled."
    deletedAt: ISO8601Timestamp
    "The changes, the oldest first; null for a deleted webhook."
    auditLines(${connectionArguments}): WebhookAuditLineConnection
  }

  enum WebhookAuditAction { created updated verified disabled }

  ${auditLineType('WebhookAuditLine', 'Null when the service did it by itself, or the holder of a verification code did.')}

  "Values as text; a password in an address is masked."
  type WebhookAuditChange {
    field: String!
    from: String
    to: String
  }

  input WebhookCreateInput {
    event: WebhookEvent!
    uri: String!
    "Default: the event."
    name: String
    ${takenByGraphql}
    clientMutationId: String
  }

  input WebhookUpdateInput {
    id: ID!
    event: WebhookEvent
    uri: String
    name: String
    ${takenByGraphql}
    clientMutationId: String
  }

  input WebhookIdInput {
    id: ID!
    clientMutationId: String
  }

  input WebhookEventFilter {
    values: [WebhookEvent!]!
    negate: Boolean = false
  }

  input WebhookPolicyIdFilter {
    "Alternatives; null selects webhooks without a policy."
    values: [ID]!
    negate: Boolean = false
  }

  input WebhookStateFilter {
    values: [WebhookState!]!
    negate: Boolean = false
  }

  ${webhookPayload('WebhookCreatePayload')}
  ${webhookPayload('WebhookUpdatePayload')}
  ${webhookPayload('WebhookDeletePayload', 'deletedId: ID')}
  ${listTypeDefs('Webhook', filter, 'id name event createdAt updatedAt')}
  ${connectionTypeDefs('Webhook')}
  ${connectionTypeDefs('WebhookAuditLine')}
`;
