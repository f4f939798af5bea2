import { errorClasses } from './delivery';
import { listArguments, listTypeDefs } from '@itsm/shared/api/graphql/list-arguments';
import { connectionArguments, connectionTypeDefs } from '@itsm/shared/api/graphql/schema';

const errorClassValues = Object.entries(errorClasses)
  .map(([name, meaning]) => `"${meaning}"\n${name}`)
  .join('\n');

const filter = /* GraphQL */ `
  webhook: WebhookDeliveryIdFilter
  state: WebhookDeliveryStateFilter
  event: WebhookDeliveryTextFilter
  createdAt: WebhookDeliveryTimestampFilter
`;

export const deliveryTypeDefs = /* GraphQL */ `
  type Query {
    "The calls that webhooks of the current account asked for, newest first unless ordered otherwise; for account administrators."
    webhookDeliveries(${connectionArguments}, ${listArguments('WebhookDelivery')}): WebhookDeliveryConnection
    webhookDelivery(id: ID!): WebhookDelivery
  }

  type Webhook @key(fields: "id") {
    id: ID!
    "Newest first."
    deliveries(${connectionArguments}, filter: WebhookDeliveryFilter): WebhookDeliveryConnection
  }

  "pending: waits for its next attempt or is at it. skipped: the webhook was unverified or disabled."
  enum WebhookDeliveryState { pending delivered failed stopped skipped }

  "One occurrence of an event for one webhook."
  type WebhookDelivery implements Node @key(fields: "id") {
    id: ID!
    "The UUID that every attempt carries in X-Service-Delivery."
    deliveryId: String!
    webhook: Webhook!
    event: String!
    test: Boolean!
    state: WebhookDeliveryState!
    stoppedReason: String
    "The address without its secrets."
    uri: String
    host: String!
    attempts: [WebhookDeliveryAttempt!]!
    nextAttemptAt: ISO8601Timestamp
    requestedAt: ISO8601Timestamp!
    createdAt: ISO8601Timestamp!
    "The delivery that this one repeats."
    origin: WebhookDelivery
    "What is sent, without secrets."
    request: WebhookDeliveryRequest
  }

  type WebhookDeliveryAttempt {
    attempt: Int!
    at: ISO8601Timestamp!
    outcome: String!
    status: Int
    error: String
    "What kind of failure it was; null when it succeeded."
    errorClass: WebhookDeliveryErrorClass
    "receiver or ours; null when it succeeded."
    fault: String
    milliseconds: WebhookDeliveryDurations
  }

  enum WebhookDeliveryErrorClass {
    ${errorClassValues}
  }

  "Milliseconds of each stage that was finished, and of everything."
  type WebhookDeliveryDurations {
    dns: Float
    connect: Float
    tls: Float
    firstByte: Float
    total: Float!
  }

  type WebhookDeliveryRequest {
    method: String!
    uri: String!
    headers: [WebhookDeliveryHeader!]!
    "Whether each attempt carries the body inside a JWT of its own."
    signed: Boolean!
    "JSON text."
    body: String!
  }

  type WebhookDeliveryHeader {
    name: String!
    value: String!
  }

  input WebhookDeliveryIdFilter {
    values: [ID!]!
    negate: Boolean = false
  }

  input WebhookDeliveryStateFilter {
    values: [WebhookDeliveryState!]!
    negate: Boolean = false
  }

  ${listTypeDefs('WebhookDelivery', filter, 'createdAt')}
  ${connectionTypeDefs('WebhookDelivery')}
`;
