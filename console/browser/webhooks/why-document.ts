import { graphql } from '../api/graphql';
import type { ResultOf } from '../api/graphql';
import { deliveryOutcome } from '../parts/delivery-row';

export const whyWebhook = graphql(`
  query WhyWebhook($id: ID!) {
    webhook(id: $id) {
      name
      event
      state
      createdAt
    }
  }
`);

const explained = graphql(`
  fragment Explained on WebhookExplanation {
    eventId
    verdict
    reason
    visible
    event
    eventMatches
    occurredAt
    stateThen
    state
    verified
    deliveryId
    attempts
    lastAttemptAt
    lastStatus
    lastError
    nextAttemptAt
  }
`);
export type Explanation = ResultOf<typeof explained>;

/** The number of events that `explain` has places for. */
export const mostExplained = 10;

/** Why a webhook was or was not called for up to ten events; a single event is `$e0` alone. */
export const explain = graphql(
  `
    query Explain(
      $id: ID!
      $several: Boolean!
      $e0: String!
      $e1: String!
      $e2: String!
      $e3: String!
      $e4: String!
      $e5: String!
      $e6: String!
      $e7: String!
      $e8: String!
      $e9: String!
    ) {
      webhook(id: $id) {
        e0: explain(eventId: $e0) {
          ...Explained
        }
        e1: explain(eventId: $e1) @include(if: $several) {
          ...Explained
        }
        e2: explain(eventId: $e2) @include(if: $several) {
          ...Explained
        }
        e3: explain(eventId: $e3) @include(if: $several) {
          ...Explained
        }
        e4: explain(eventId: $e4) @include(if: $several) {
          ...Explained
        }
        e5: explain(eventId: $e5) @include(if: $several) {
          ...Explained
        }
        e6: explain(eventId: $e6) @include(if: $several) {
          ...Explained
        }
        e7: explain(eventId: $e7) @include(if: $several) {
          ...Explained
        }
        e8: explain(eventId: $e8) @include(if: $several) {
          ...Explained
        }
        e9: explain(eventId: $e9) @include(if: $several) {
          ...Explained
        }
      }
    }
  `,
  [explained],
);

/** Any webhook: the API lists events below a webhook. */
export const anyWebhook = graphql(`
  query AnyWebhook {
    webhooks(first: 1) {
      nodes {
        id
      }
    }
  }
`);

/** What each webhook for an event did with it. */
export const explainEverywhere = graphql(`
  query ExplainEverywhere($eventId: String!, $event: WebhookEvent!) {
    webhooks(first: 50, filter: { event: { values: [$event] } }, order: [{ field: name }]) {
      totalCount
      nodes {
        id
        name
        explain(eventId: $eventId) {
          verdict
          reason
        }
      }
    }
  }
`);

/** The calls of other webhooks for the same event. */
export const callsOfEvent = graphql(
  `
    query CallsOfEvent($eventId: String!) {
      webhookDeliveries(first: 20, filter: { eventId: { values: [$eventId] } }) {
        nodes {
          ...DeliveryOutcome
          webhook {
            id
            name
            deletedAt
          }
        }
      }
    }
  `,
  [deliveryOutcome],
);
