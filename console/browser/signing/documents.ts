import { fieldChange, pageEnd, refusal } from '../api/fragments';
import { graphql } from '../api/graphql';
import type { ResultOf } from '../api/graphql';

export const policyFields = graphql(`
  fragment PolicyFields on WebhookPolicy {
    id
    name
    jwtAlg
    jwtAudience
    jwtClaimExpiresIn
    keyRotationDays
    issuer
    accountIssuer
    disabled
    createdAt
    updatedAt
    keys {
      kid
      signsFrom
      publishedUntil
    }
  }
`);
export type Policy = ResultOf<typeof policyFields>;
export type PolicyKey = Policy['keys'][number];

export const policyList = graphql(
  `
    query PolicyList($first: Int!, $after: String) {
      webhookPolicies(first: $first, after: $after, order: [{ field: name }]) {
        totalCount
        pageInfo {
          ...PageEnd
        }
        nodes {
          ...PolicyFields
        }
      }
    }
  `,
  [policyFields, pageEnd],
);

/** The policy of each webhook, if any. */
export const policyUsers = graphql(
  `
    query PolicyUsers($first: Int!, $after: String) {
      webhooks(first: $first, after: $after) {
        totalCount
        pageInfo {
          ...PageEnd
        }
        nodes {
          id
          webhookPolicy {
            id
          }
        }
      }
    }
  `,
  [pageEnd],
);

const signedWebhook = graphql(`
  fragment SignedWebhook on Webhook {
    id
    name
    event
    openidConnectDiscovery
    webhookPolicy {
      id
    }
  }
`);
export type SignedWebhook = ResultOf<typeof signedWebhook>;

const signedWebhooks = graphql(
  `
    fragment SignedWebhooks on WebhookConnection {
      totalCount
      pageInfo {
        ...PageEnd
      }
      nodes {
        ...SignedWebhook
      }
    }
  `,
  [pageEnd, signedWebhook],
);

export const policyDetail = graphql(
  `
    query PolicyDetail($id: ID!) {
      webhookPolicy(id: $id) {
        ...PolicyFields
        auditLines(last: 20) {
          nodes {
            id
            personName
            action
            createdAt
            changes {
              ...FieldChange
            }
          }
        }
      }
      webhooks(first: 100, filter: { webhookPolicy: { values: [$id] } }) {
        ...SignedWebhooks
      }
    }
  `,
  [policyFields, fieldChange, signedWebhooks],
);
export type PolicyDetail = ResultOf<typeof policyDetail>;

/** Further webhooks of a policy, when `policyDetail` does not have all. */
export const policyWebhooks = graphql(
  `
    query PolicyWebhooks($first: Int!, $after: String, $id: ID!) {
      webhooks(first: $first, after: $after, filter: { webhookPolicy: { values: [$id] } }) {
        ...SignedWebhooks
      }
    }
  `,
  [signedWebhooks],
);

/** A policy and the webhooks that use it. */
export interface PolicyInUse {
  readonly policy: Policy;
  /** The webhooks that were loaded, of `total`. */
  readonly webhooks: readonly SignedWebhook[];
  readonly total: number;
}
export type PolicyLine = NonNullable<NonNullable<PolicyDetail['webhookPolicy']>['auditLines']>['nodes'][number];

export const policyCreate = graphql(
  `
    mutation PolicyCreate($input: WebhookPolicyCreateInput!) {
      webhookPolicyCreate(input: $input) {
        webhookPolicy {
          ...PolicyFields
        }
        publicKeyPem
        sharedSecret
        errors {
          ...Refusal
        }
      }
    }
  `,
  [policyFields, refusal],
);

export const policyUpdate = graphql(
  `
    mutation PolicyUpdate($input: WebhookPolicyUpdateInput!) {
      webhookPolicyUpdate(input: $input) {
        webhookPolicy {
          ...PolicyFields
        }
        errors {
          ...Refusal
        }
      }
    }
  `,
  [policyFields, refusal],
);

export const policyRotate = graphql(
  `
    mutation PolicyRotate($input: WebhookPolicyRotateInput!) {
      webhookPolicyRotate(input: $input) {
        webhookPolicy {
          keys {
            kid
          }
        }
        publicKeyPem
        sharedSecret
        errors {
          ...Refusal
        }
      }
    }
  `,
  [refusal],
);

export const policyDelete = graphql(
  `
    mutation PolicyDelete($input: WebhookPolicyDeleteInput!) {
      webhookPolicyDelete(input: $input) {
        webhookPolicy {
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
