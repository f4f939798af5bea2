import { pageEnd, refusal } from '../api/fragments';
import { graphql } from '../api/graphql';
import type { ResultOf } from '../api/graphql';

export const applicationFields = graphql(`
  fragment ApplicationFields on OAuthApplication {
    id
    name
    description
    homepage
    grantTypes
    redirectUris
    scopes {
      effect
      actions
      account
    }
    ssoConfiguration {
      id
      name
      issuer
    }
    audience
    actsAsPerson {
      id
      name
      primaryEmail
    }
    pkceRequired
    jwks
    jwksUri
    privateKeyJwtRequired
    disabled
    tokens {
      id
      clientId
      name
      disabled
      createdAt
      lastUsedAt
    }
  }
`);
export type Application = ResultOf<typeof applicationFields>;
export type ClientToken = Application['tokens'][number];

export const applicationList = graphql(
  `
    query ApplicationList($first: Int!, $after: String, $query: String) {
      oauthApplications(first: $first, after: $after, filter: { query: $query }, order: [{ field: name }]) {
        totalCount
        pageInfo {
          ...PageEnd
        }
        nodes {
          ...ApplicationFields
        }
      }
    }
  `,
  [applicationFields, pageEnd],
);

export const authorizationFields = graphql(`
  fragment AuthorizationFields on OAuthAuthorization {
    id
    person {
      name
      primaryEmail
    }
    grantedAt
    lastUsedAt
  }
`);
export type Authorization = ResultOf<typeof authorizationFields>;

export const applicationDetail = graphql(
  `
    query ApplicationDetail($id: ID!) {
      oauthApplication(id: $id) {
        ...ApplicationFields
      }
    }
  `,
  [applicationFields],
);

export const applicationCreate = graphql(
  `
    mutation ApplicationCreate($input: OAuthApplicationCreateInput!) {
      oauthApplicationCreate(input: $input) {
        oauthApplication {
          ...ApplicationFields
        }
        errors {
          ...Refusal
        }
      }
    }
  `,
  [applicationFields, refusal],
);

export const applicationUpdate = graphql(
  `
    mutation ApplicationUpdate($input: OAuthApplicationUpdateInput!) {
      oauthApplicationUpdate(input: $input) {
        oauthApplication {
          ...ApplicationFields
        }
        errors {
          ...Refusal
        }
      }
    }
  `,
  [applicationFields, refusal],
);

export const applicationDelete = graphql(
  `
    mutation ApplicationDelete($input: OAuthApplicationDeleteInput!) {
      oauthApplicationDelete(input: $input) {
        deletedId
        errors {
          ...Refusal
        }
      }
    }
  `,
  [refusal],
);

/** Further pages of the people who have authorised an application. */
export const authorizationList = graphql(
  `
    query AuthorizationList($id: ID!, $first: Int!, $after: String) {
      oauthApplication(id: $id) {
        authorizations(first: $first, after: $after) {
          totalCount
          pageInfo {
            ...PageEnd
          }
          nodes {
            ...AuthorizationFields
          }
        }
      }
    }
  `,
  [authorizationFields, pageEnd],
);

export const authorizationRevoke = graphql(
  `
    mutation AuthorizationRevoke($input: OAuthAuthorizationRevokeInput!) {
      oauthAuthorizationRevoke(input: $input) {
        oauthApplication {
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

export const clientTokenCreate = graphql(
  `
    mutation ClientTokenCreate($input: OAuthApplicationTokenCreateInput!) {
      oauthApplicationTokenCreate(input: $input) {
        oauthApplicationToken {
          id
          clientId
        }
        clientSecret
        errors {
          ...Refusal
        }
      }
    }
  `,
  [refusal],
);

export const clientTokenUpdate = graphql(
  `
    mutation ClientTokenUpdate($input: OAuthApplicationTokenUpdateInput!) {
      oauthApplicationTokenUpdate(input: $input) {
        oauthApplicationToken {
          id
          disabled
        }
        errors {
          ...Refusal
        }
      }
    }
  `,
  [refusal],
);

export const clientTokenDelete = graphql(
  `
    mutation ClientTokenDelete($input: OAuthApplicationTokenDeleteInput!) {
      oauthApplicationTokenDelete(input: $input) {
        oauthApplication {
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

/** The choices that a service or a system can be tied to. */
export const applicationChoices = graphql(`
  query ApplicationChoices($query: String) {
    people(first: 100, filter: { disabled: false }) {
      totalCount
      nodes {
        id
        name
        primaryEmail
      }
    }
    found: people(first: 20, filter: { disabled: false, query: $query }) {
      nodes {
        id
        name
        primaryEmail
      }
    }
    ssoConfigurations(first: 100) {
      nodes {
        id
        name
        issuer
        disabled
      }
    }
  }
`);
