import { fieldChange, pageEnd, refusal } from '../api/fragments';
import { graphql } from '../api/graphql';
import type { ResultOf } from '../api/graphql';
import { deliveryRow } from '../parts/delivery-row';
import { webhookHealth } from '../parts/webhook-health';

/**
 * The webhooks with a summary of their recent calls. Counts over a span would cost a hundred times as much; a page of
 * each webhook's newest deliveries gives the same numbers, up to a hundred.
 */
export const webhookList = graphql(
  `
    query WebhookList($first: Int!, $after: String, $filter: WebhookFilter) {
      webhooks(first: $first, after: $after, filter: $filter) {
        totalCount
        pageInfo {
          ...PageEnd
        }
        nodes {
          ...WebhookHealth
          webhookPolicy {
            id
            name
          }
          newest: deliveries(first: 100) {
            nodes {
              state
              createdAt
            }
          }
          bad: deliveries(first: 100, filter: { state: { values: [failed, stopped] } }) {
            nodes {
              createdAt
            }
          }
          waiting: deliveries(first: 50, filter: { state: { values: [pending] } }) {
            nodes {
              nextAttemptAt
            }
          }
        }
      }
    }
  `,
  [webhookHealth, pageEnd],
);

export type ListedWebhook = NonNullable<ResultOf<typeof webhookList>['webhooks']>['nodes'][number];

/** The settings that an administrator may change, except the policy. */
const webhookSettings = graphql(
  `
    fragment WebhookSettings on Webhook {
      ...WebhookHealth
      description
      mailExceptionsTo
      openidConnectDiscovery
      source
      sourceID
    }
  `,
  [webhookHealth],
);

/** The latest verification call. */
const webhookVerification = graphql(
  `
    fragment WebhookVerification on Webhook {
      verification: deliveries(first: 1, filter: { event: { values: ["webhook.verify"] } }) {
        nodes {
          ...DeliveryRow
        }
      }
    }
  `,
  [deliveryRow],
);

export const webhookDetail = graphql(
  `
    query WebhookDetail($id: ID!, $first: Int!, $filter: WebhookDeliveryFilter) {
      webhook(id: $id) {
        ...WebhookSettings
        createdAt
        webhookPolicy {
          id
          name
          jwtAlg
          disabled
          keys {
            kid
            signsFrom
          }
        }
        skipped {
          count
          firstSkippedAt
          lastSkippedAt
        }
        deliveries(first: $first, filter: $filter) {
          totalCount
          nodes {
            ...DeliveryRow
          }
        }
        newest: deliveries(first: 1) {
          nodes {
            ...DeliveryRow
          }
        }
        ...WebhookVerification
        auditLines(last: 20) {
          nodes {
            id
            action
            personName
            createdAt
            changes {
              ...FieldChange
            }
          }
        }
      }
    }
  `,
  [webhookSettings, webhookVerification, deliveryRow, fieldChange],
);

export type WebhookDetail = NonNullable<ResultOf<typeof webhookDetail>['webhook']>;

export const webhookState = graphql(
  `
    query WebhookState($id: ID!) {
      webhook(id: $id) {
        ...WebhookHealth
        deliveries(first: 5) {
          nodes {
            ...DeliveryRow
          }
        }
        ...WebhookVerification
      }
    }
  `,
  [webhookHealth, webhookVerification, deliveryRow],
);

export const webhookForm = graphql(
  `
    query WebhookForm($id: ID!, $isNew: Boolean!) {
      webhook(id: $id) @skip(if: $isNew) {
        ...WebhookSettings
        webhookPolicy {
          id
          name
        }
      }
      webhookPolicies(first: 100) {
        nodes {
          id
          name
          jwtAlg
          disabled
        }
      }
      webhooks(first: 100) {
        nodes {
          name
          event
          uri
          state
        }
      }
    }
  `,
  [webhookSettings],
);

export const webhookCreate = graphql(
  `
    mutation WebhookCreate($input: WebhookCreateInput!) {
      webhookCreate(input: $input) {
        webhook {
          ...WebhookHealth
        }
        errors {
          ...Refusal
        }
      }
    }
  `,
  [webhookHealth, refusal],
);

export const webhookUpdate = graphql(
  `
    mutation WebhookUpdate($input: WebhookUpdateInput!) {
      webhookUpdate(input: $input) {
        webhook {
          ...WebhookHealth
        }
        errors {
          ...Refusal
        }
      }
    }
  `,
  [webhookHealth, refusal],
);

export const webhookDelete = graphql(
  `
    mutation WebhookDelete($input: WebhookIdInput!) {
      webhookDelete(input: $input) {
        errors {
          ...Refusal
        }
      }
    }
  `,
  [refusal],
);

export const webhookTest = graphql(
  `
    mutation WebhookTest($input: WebhookIdInput!) {
      webhookTest(input: $input) {
        errors {
          ...Refusal
        }
      }
    }
  `,
  [refusal],
);

export const webhookVerify = graphql(
  `
    mutation WebhookVerify($input: WebhookIdInput!) {
      webhookVerify(input: $input) {
        errors {
          ...Refusal
        }
      }
    }
  `,
  [refusal],
);

/** What the form knows about the account: its policies, its other webhooks, and the edited one. */
export type Known = ResultOf<typeof webhookForm>;
