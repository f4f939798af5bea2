import { pageEnd, refusal } from '../api/fragments';
import { graphql } from '../api/graphql';
import { deliveryRow } from '../parts/delivery-row';

export const deliveryLog = graphql(
  `
    query DeliveryLog($first: Int!, $after: String, $filter: WebhookDeliveryFilter) {
      webhookDeliveries(first: $first, after: $after, filter: $filter) {
        totalCount
        pageInfo {
          ...PageEnd
        }
        nodes {
          ...DeliveryRow
        }
      }
    }
  `,
  [deliveryRow, pageEnd],
);

/** The number of deliveries that are newer than the list. */
export const deliveryNews = graphql(`
  query DeliveryNews($filter: WebhookDeliveryFilter) {
    webhookDeliveries(first: 1, filter: $filter) {
      totalCount
      nodes {
        createdAt
      }
    }
  }
`);

const webhookChoices = graphql(
  `
    fragment WebhookChoices on WebhookConnection {
      totalCount
      pageInfo {
        ...PageEnd
      }
      nodes {
        id
        name
        event
      }
    }
  `,
  [pageEnd],
);

/** The choices of the log's filters. */
export const deliveryChoices = graphql(
  `
    query DeliveryChoices {
      webhooks(first: 100, order: [{ field: name }]) {
        ...WebhookChoices
      }
      webhookEvents {
        name
      }
    }
  `,
  [webhookChoices],
);

/** Further webhooks for the filter, when `deliveryChoices` does not have all. */
export const deliveryWebhooks = graphql(
  `
    query DeliveryWebhooks($first: Int!, $after: String) {
      webhooks(first: $first, after: $after, order: [{ field: name }]) {
        ...WebhookChoices
      }
    }
  `,
  [webhookChoices],
);

export const deliveriesRedeliver = graphql(
  `
    mutation DeliveriesRedeliver($ids: [ID!]!) {
      webhookDeliveriesRedeliver(input: { ids: $ids }) {
        webhookDeliveries {
          id
        }
        errors {
          ...Refusal
        }
      }
    }
  `,
  [refusal],
);
