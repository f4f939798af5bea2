import { pageEnd } from '../api/fragments';
import { graphql } from '../api/graphql';
import type { ResultOf } from '../api/graphql';
import { useWhole } from '../api/pages';
import type { Whole } from '../api/pages';
import { useAccount } from '../frame/account';
import { healthOf, webhookHealth } from '../parts/webhook-health';

export const homeAdmin = graphql(
  `
    query HomeAdmin($since: ISO8601Timestamp!, $person: ID!) {
      active: webhooks(first: 100, filter: { state: { values: [active] } }) {
        totalCount
        pageInfo {
          ...PageEnd
        }
        nodes {
          ...WebhookHealth
        }
      }
      unverified: webhooks(first: 5, filter: { state: { values: [unverified] } }) {
        totalCount
        nodes {
          ...WebhookHealth
        }
      }
      disabled: webhooks(first: 5, filter: { state: { values: [disabled] } }) {
        totalCount
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
        totalCount
      }
      oauthApplications(first: 1) {
        totalCount
      }
      tokens: securityLog(
        first: 1
        filter: { personId: $person, event: { values: ["personal_access_token.created"] } }
      ) {
        totalCount
      }
      securityLog(first: 5, filter: { alert: true }) {
        totalCount
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
type Webhook = NonNullable<HomeAdmin['active']>['nodes'][number];

/** The platform has no filter for those that fail: they are among the active ones, of which the document has a hundred. */
const activeWebhooks = graphql(
  `
    query HomeActive($first: Int!, $after: String) {
      webhooks(first: $first, after: $after, filter: { state: { values: [active] } }) {
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

/** How many webhooks there are. */
export const allOf = ({ active, unverified, disabled }: HomeAdmin): number =>
  [active, unverified, disabled].reduce((sum, part) => sum + (part?.totalCount ?? 0), 0);

/** Active webhooks whose last call failed. */
export type Failing = Whole<Webhook>;

/** All of them, where there are no more than `mostLoaded` active ones. */
export function useFailing(data: HomeAdmin | undefined): Failing {
  const { account } = useAccount();
  const { nodes, areAll } = useWhole(
    data?.active,
    activeWebhooks,
    { first: 100 },
    account,
    ({ webhooks }) => webhooks,
    {
      pollEvery: () => 60_000,
    },
  );
  return { nodes: nodes.filter((webhook) => healthOf(webhook) === 'failing'), areAll };
}
