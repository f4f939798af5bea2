import { recordEventNames } from '@itsm/shared/contracts/events';
import { connectionArguments, connectionTypeDefs } from '@itsm/shared/api/graphql/schema';
import { webhookStates } from './webhook';
import { webhookType } from './webhook-type';
import { declaredTypeDefs } from '@itsm/shared/declared/declared.sdl';

export const oneOfEvents = `One of ${recordEventNames.join(', ')}.`;

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
  ${declaredTypeDefs(webhookType)}

  extend type Mutation {
    webhookDelete(input: WebhookIdInput!): WebhookDeletePayload
  }

  enum WebhookState { ${webhookStates.join(' ')} }

  extend type Webhook {
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

  input WebhookIdInput {
    id: ID!
    clientMutationId: String
  }

  input WebhookStateFilter {
    values: [WebhookState!]!
    negate: Boolean = false
  }

  ${webhookPayload('WebhookDeletePayload', 'deletedId: ID')}
  ${connectionTypeDefs('WebhookAuditLine')}
`;
