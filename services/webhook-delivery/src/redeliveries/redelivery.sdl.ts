import { redeliveryStates } from '../deliveries/redelivery.repository';
import { mutationTypeDefs } from '@itsm/shared/api/graphql/mutation-payload';

export const redeliveryTypeDefs = /* GraphQL */ `
  type Mutation {
    "Makes a finished delivery again, as a delivery of its own, to the address it was made for."
    webhookDeliveryRedeliver(input: WebhookDeliveryRedeliverInput!): WebhookDeliveryRedeliverPayload
    "The same for up to 100 of them, or for what one webhook missed in a time, up to 1,000 at once; errors name what is refused."
    webhookDeliveriesRedeliver(input: WebhookDeliveriesRedeliverInput!): WebhookDeliveriesRedeliverPayload
    "Makes the next attempt of a waiting delivery now; the number of the attempt does not change."
    webhookDeliveryRetry(input: WebhookDeliveryRetryInput!): WebhookDeliveryRetryPayload
  }

  input WebhookDeliveryRedeliverInput {
    id: ID!
    clientMutationId: String
  }

  type WebhookDeliveryRedeliverPayload {
    webhookDelivery: WebhookDelivery
    errors: [ValidationError!]!
    clientMutationId: String
  }

  "Either \`ids\`, or \`webhookId\`, \`from\` and \`until\`."
  input WebhookDeliveriesRedeliverInput {
    "Up to 100."
    ids: [ID!]
    "Selects the webhook's deliveries from \`from\` to \`until\`, both included, that were not redelivered yet."
    webhookId: ID
    from: ISO8601Timestamp
    until: ISO8601Timestamp
    "failed and stopped when absent; with \`webhookId\` only."
    states: [WebhookRedeliveryState!]
    "Only counts; with \`webhookId\` only."
    preview: Boolean
    clientMutationId: String
  }

  "The states of the deliveries: failed and stopped ones get a new delivery, pending ones that have failed before their next attempt."
  enum WebhookRedeliveryState { ${redeliveryStates.join(' ')} }

  type WebhookDeliveriesRedeliverPayload {
    "The number of selected deliveries in a preview, otherwise of those that were made."
    count: Int!
    webhookDeliveries: [WebhookDelivery!]!
    errors: [ValidationError!]!
    clientMutationId: String
  }

  input WebhookDeliveryRetryInput {
    id: ID!
    clientMutationId: String
  }

  type WebhookDeliveryRetryPayload {
    webhookDelivery: WebhookDelivery
    errors: [ValidationError!]!
    clientMutationId: String
  }

  ${mutationTypeDefs}
`;
