import { refusal } from '../api/fragments';
import { graphql } from '../api/graphql';

export const recoverWebhook = graphql(`
  query RecoverWebhook($id: ID!) {
    webhook(id: $id) {
      id
      name
      state
      lastError
      consecutiveFailures
      failingSince
      skipped {
        count
        firstSkippedAt
      }
      deliveries(last: 1, filter: { state: { values: [failed, stopped] } }) {
        nodes {
          createdAt
        }
      }
    }
  }
`);

const recoverExample = graphql(`
  fragment RecoverExample on WebhookDelivery {
    deliveryId
    event
    objectId
    createdAt
  }
`);

/** A preview of the deliveries that would be sent for a span: the oldest ones. */
export const recoverPreview = graphql(
  `
    query RecoverPreview($id: ID!, $from: ISO8601Timestamp!, $until: ISO8601Timestamp!) {
      webhook(id: $id) {
        skipped(from: $from, until: $until) {
          count
          firstSkippedAt
          lastSkippedAt
          examples {
            deliveryId
            objectId
            reason
            skippedAt
          }
        }
        unsuccessful: deliveries(
          last: 5
          filter: {
            state: { values: [failed, stopped] }
            createdAt: { greaterThanOrEqualTo: $from, lessThanOrEqualTo: $until }
          }
        ) {
          totalCount
          nodes {
            ...RecoverExample
          }
        }
        waiting: deliveries(
          last: 5
          filter: {
            state: { values: [pending] }
            createdAt: { greaterThanOrEqualTo: $from, lessThanOrEqualTo: $until }
          }
        ) {
          totalCount
          nodes {
            ...RecoverExample
          }
        }
      }
    }
  `,
  [recoverExample],
);

export const skippedRedeliver = graphql(
  `
    mutation SkippedRedeliver($id: ID!, $from: ISO8601Timestamp!, $until: ISO8601Timestamp!) {
      webhookRedeliverSkipped(input: { id: $id, from: $from, until: $until }) {
        skipped {
          count
        }
        errors {
          ...Refusal
        }
      }
    }
  `,
  [refusal],
);

/** The progress: succeeded, waiting and failed deliveries since the start of the span. */
export const recoverCounts = graphql(`
  query RecoverCounts($id: ID!, $from: ISO8601Timestamp!) {
    webhook(id: $id) {
      delivered: deliveries(
        first: 1
        filter: { state: { values: [delivered] }, createdAt: { greaterThanOrEqualTo: $from } }
      ) {
        totalCount
      }
      pending: deliveries(
        first: 1
        filter: { state: { values: [pending] }, createdAt: { greaterThanOrEqualTo: $from } }
      ) {
        totalCount
      }
    }
  }
`);
