import { mutationTypeDefs } from '@itsm/shared/api/graphql/mutation-payload';

export const redeliveryTypeDefs = /* GraphQL */ `
  type Mutation {
    "Makes a finished delivery again, as a delivery of its own, to the address it was made for."
    webhookDeliveryRedeliver(input: WebhookDeliveryRedeliverInput!): WebhookDeliveryRedeliverPayload
    "The same for up to 100 of them; errors name what is refused."
    webhookDeliveriesRedeliver(input: WebhookDeliveriesRedeliverInput!): WebhookDeliveriesRedeliverPayload
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

  input WebhookDeliveriesRedeliverInput {
    ids: [ID!]!
    clientMutationId: String
  }

  type WebhookDeliveriesRedeliverPayload {
    webhookDeliveries: [WebhookDelivery!]!
    errors: [ValidationError!]!
    clientMutationId: String
  }

  ${mutationTypeDefs}
`;
