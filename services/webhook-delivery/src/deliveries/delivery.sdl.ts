import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import { errorClasses } from './delivery';
import { bucketSizes, mostBuckets } from './delivery-counts';
import { listArguments, listTypeDefs } from '@itsm/shared/api/graphql/list-arguments';
import { connectionArguments, connectionTypeDefs } from '@itsm/shared/api/graphql/schema';

const errorClassValues = Object.entries(errorClasses)
  .map(([name, meaning]) => `"${meaning}"\n${name}`)
  .join('\n');

/** The types of record, which other subgraphs resolve. */
const recordTypes = Object.values(recordKinds)
  .map(({ graphqlName }) => `type ${graphqlName} implements Node @key(fields: "id", resolvable: false) { id: ID! }`)
  .join('\n');

const filter = /* GraphQL */ `
  webhook: WebhookDeliveryIdFilter
  state: WebhookDeliveryStateFilter
  event: WebhookDeliveryTextFilter
  eventId: WebhookDeliveryTextFilter
  "The number of the event's record."
  objectId: WebhookDeliveryIntFilter
  "The error class of the last attempt."
  errorClass: WebhookDeliveryErrorClassFilter
  "The status of the receiver's answer to the last attempt."
  lastStatus: WebhookDeliveryIntFilter
  test: Boolean
  "Host and port, such as \`receiver.example:443\`."
  host: WebhookDeliveryTextFilter
  createdAt: WebhookDeliveryTimestampFilter
`;

const valuesFilter = (name: string, type: string): string => `
  input WebhookDelivery${name}Filter {
    values: [${type}!]!
    negate: Boolean = false
  }
`;

export const deliveryTypeDefs = /* GraphQL */ `
  type Query {
    "The calls that webhooks of the current account asked for, newest first unless ordered otherwise; for account administrators."
    webhookDeliveries(${connectionArguments}, ${listArguments('WebhookDelivery')}): WebhookDeliveryConnection
    webhookDelivery(id: ID!): WebhookDelivery
    "The number of deliveries in each hour or day from \`from\` until \`until\` (excluded), empty ones included; at most ${mostBuckets} hours or days. For one webhook or for all."
    webhookDeliveryCounts(
      webhookId: ID
      from: ISO8601Timestamp!
      until: ISO8601Timestamp!
      bucket: WebhookDeliveryBucket!
    ): [WebhookDeliveryCount!]!
  }

  "In UTC."
  enum WebhookDeliveryBucket { ${Object.keys(bucketSizes).join(' ')} }

  "Deliveries by their present state."
  type WebhookDeliveryCount {
    "The beginning of the hour or the day."
    at: ISO8601Timestamp!
    delivered: Int!
    failed: Int!
    stopped: Int!
    pending: Int!
    skipped: Int!
    "The median duration of the last calls in milliseconds, accurate to 5 %; null when no call was made."
    p50: Float
    "The 95th percentile."
    p95: Float
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
    "The same for all webhooks that were called for it."
    eventId: String!
    "The number of the event's record; null for a verification."
    objectId: Int
    "That record; null when there is none, as with a test delivery."
    record: Node
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

  ${valuesFilter('Id', 'ID')}
  ${valuesFilter('State', 'WebhookDeliveryState')}
  ${valuesFilter('ErrorClass', 'WebhookDeliveryErrorClass')}
  ${valuesFilter('Int', 'Int')}
  ${recordTypes}

  ${listTypeDefs('WebhookDelivery', filter, 'createdAt')}
  ${connectionTypeDefs('WebhookDelivery')}
`;
