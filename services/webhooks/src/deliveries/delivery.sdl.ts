import { webhookPayload } from '../webhooks/webhook.sdl';

/** SDL of test deliveries and skipped deliveries. */
export const deliveryTypeDefs = /* GraphQL */ `
  extend type Query {
    "The events that a webhook can be registered for; for account administrators."
    webhookEvents: [WebhookEventDescription!]!
  }

  type WebhookEventDescription {
    name: WebhookEvent!
    "The GraphQL type of the records."
    recordType: String!
    "A sentence."
    description: String!
    "Members of \`payload\` that other events of the record type lack."
    extraMembers: [String!]!
    "The body of a test delivery as JSON text; the webhook in it has the id 12345, too."
    sampleBody: String!
  }

  extend type Mutation {
    "Sends a sample of the event with the object id 12345, in every state."
    webhookTest(input: WebhookIdInput!): WebhookTestPayload
    "Has what the webhook skipped delivered to the address that it has now."
    webhookRedeliverSkipped(input: WebhookRedeliverSkippedInput!): WebhookRedeliverSkippedPayload
  }

  extend type Webhook {
    "What was not delivered while the webhook was unverified or disabled, in the last 30 days."
    skipped(from: ISO8601Timestamp, until: ISO8601Timestamp): WebhookSkipped
  }

  type WebhookSkipped {
    count: Int!
    firstSkippedAt: ISO8601Timestamp
    lastSkippedAt: ISO8601Timestamp
    "The oldest of them, 20 at most."
    examples: [WebhookSkippedDelivery!]!
  }

  type WebhookSkippedDelivery {
    deliveryId: String!
    eventId: String!
    objectId: Int!
    reason: WebhookState!
    skippedAt: ISO8601Timestamp!
  }

  input WebhookRedeliverSkippedInput {
    id: ID!
    from: ISO8601Timestamp
    until: ISO8601Timestamp
    clientMutationId: String
  }

  ${webhookPayload('WebhookTestPayload')}
  ${webhookPayload('WebhookRedeliverSkippedPayload', 'skipped: WebhookSkipped')}
`;
