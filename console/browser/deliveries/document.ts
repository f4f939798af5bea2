import { refusal } from '../api/fragments';
import { graphql } from '../api/graphql';
import type { ResultOf } from '../api/graphql';
import { deliveryOutcome } from '../parts/delivery-row';

export const deliveryDetail = graphql(`
  query DeliveryDetail($id: ID!) {
    webhookDelivery(id: $id) {
      deliveryId
      event
      eventId
      objectId
      record {
        __typename
      }
      test
      state
      stoppedReason
      uri
      host
      nextAttemptAt
      requestedAt
      createdAt
      webhook {
        id
        name
        state
        deletedAt
      }
      origin {
        deliveryId
      }
      attempts {
        attempt
        at
        outcome
        status
        error
        errorClass
        fault
        milliseconds {
          dns
          connect
          tls
          firstByte
          total
        }
      }
      request {
        method
        uri
        headers {
          name
          value
        }
        signed
        body
      }
    }
  }
`);

export type Delivery = NonNullable<ResultOf<typeof deliveryDetail>['webhookDelivery']>;
export type Attempt = Delivery['attempts'][number];

/** Other deliveries of the same event to the same webhook: resends. */
export const deliveryRelatives = graphql(
  `
    query DeliveryRelatives($eventId: String!, $webhook: ID!) {
      webhookDeliveries(first: 50, filter: { eventId: { values: [$eventId] }, webhook: { values: [$webhook] } }) {
        nodes {
          ...DeliveryOutcome
          origin {
            deliveryId
          }
        }
      }
    }
  `,
  [deliveryOutcome],
);

export const deliveryRetry = graphql(
  `
    mutation DeliveryRetry($id: ID!) {
      webhookDeliveryRetry(input: { id: $id }) {
        webhookDelivery {
          id
          state
          nextAttemptAt
        }
        errors {
          ...Refusal
        }
      }
    }
  `,
  [refusal],
);

export const deliveryRedeliver = graphql(
  `
    mutation DeliveryRedeliver($id: ID!) {
      webhookDeliveryRedeliver(input: { id: $id }) {
        webhookDelivery {
          id
          deliveryId
          state
        }
        errors {
          ...Refusal
        }
      }
    }
  `,
  [refusal],
);
