import { pageEnd } from '../api/fragments';
import { graphql } from '../api/graphql';
import type { ResultOf } from '../api/graphql';
import { useWhole } from '../api/pages';
import { useAccount } from '../frame/account';
import { byTrouble, healthOf, webhookHealth } from '../parts/webhook-health';

export const homeAdmin = graphql(
  `
    query HomeAdmin($since: ISO8601Timestamp!, $person: ID!) {
      webhooks(first: 100) {
        totalCount
        pageInfo {
          ...PageEnd
        }
        nodes {
          ...WebhookHealth
        }
      }
      failed: webhookDeliveries(
        first: 5
        filter: { createdAt: { greaterThan: $since }, state: { values: [failed, stopped] } }
      ) {
        totalCount
        nodes {
          id
          event
          createdAt
          webhook {
            id
            name
          }
        }
      }
      any: webhookDeliveries(first: 1, filter: { state: { values: [delivered] } }) {
        nodes {
          id
        }
      }
      oauthApplications(first: 1) {
        totalCount
      }
      tokens: securityLog(
        first: 1
        filter: { personId: $person, event: { values: ["personal_access_token.created"] } }
      ) {
        nodes {
          id
        }
      }
      securityLog(first: 5, filter: { alert: true }) {
        nodes {
          id
          title
          personName
          createdAt
        }
      }
    }
  `,
  [webhookHealth, pageEnd],
);

export type HomeAdmin = ResultOf<typeof homeAdmin>;
type Webhook = NonNullable<HomeAdmin['webhooks']>['nodes'][number];

/** All webhooks, when the document does not have them all. The platform has no filter for failing ones. */
const homeWebhooks = graphql(
  `
    query HomeWebhooks($first: Int!, $after: String) {
      webhooks(first: $first, after: $after) {
        totalCount
        pageInfo {
          ...PageEnd
        }
        nodes {
          ...WebhookHealth
        }
      }
    }
  `,
  [webhookHealth, pageEnd],
);

/** The webhooks that need attention, the worst first. */
export interface Trouble {
  readonly webhooks: readonly Webhook[];
  /** How many are failing or disabled, and how many wait for verification. */
  readonly broken: number;
  readonly unverified: number;
  /** Whether one of them fails, so that its deliveries wait for another attempt. */
  readonly isRetrying: boolean;
  /** Whether all webhooks were loaded; otherwise the numbers are lower bounds. */
  readonly areAll: boolean;
}

export function useTrouble(data: HomeAdmin | undefined): Trouble {
  const { account } = useAccount();
  const { nodes, areAll } = useWhole(
    data?.webhooks,
    homeWebhooks,
    { first: 100 },
    account,
    ({ webhooks }) => webhooks,
    {
      pollEvery: () => 60_000,
    },
  );
  const webhooks = nodes.filter((webhook) => healthOf(webhook) !== 'active').sort(byTrouble);
  const unverified = webhooks.filter((webhook) => healthOf(webhook) === 'unverified').length;
  const isRetrying = webhooks.some((webhook) => healthOf(webhook) === 'failing');
  return { webhooks, broken: webhooks.length - unverified, unverified, isRetrying, areAll };
}
