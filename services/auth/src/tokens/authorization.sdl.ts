import { connectionArguments, connectionTypeDefs } from '@itsm/shared/api/graphql/schema';

/** The authorizations of an application, for account administrators. */
export const authorizationTypeDefs = /* GraphQL */ `
  extend type Mutation {
    "No token of the application for this person counts from then on, whichever way it was got with their consent; they are asked again."
    oauthAuthorizationRevoke(input: OAuthAuthorizationRevokeInput!): OAuthAuthorizationRevokePayload
  }

  extend type OAuthApplication {
    "Who allows it to act for them with its present scopes, in the order of their ids."
    authorizations(${connectionArguments}): OAuthAuthorizationConnection!
  }

  "A person's consent that an application may act for them."
  type OAuthAuthorization {
    id: ID!
    "Null for somebody whom the current account does not see; needs the scope person:Read."
    person: Person
    grantedAt: ISO8601Timestamp!
    "When a token that came of it was last used, to the minute."
    lastUsedAt: ISO8601Timestamp
  }

  input OAuthAuthorizationRevokeInput {
    id: ID!
    clientMutationId: String
  }

  type OAuthAuthorizationRevokePayload {
    "The application without the authorization."
    oauthApplication: OAuthApplication
    errors: [ValidationError!]!
    clientMutationId: String
  }

  ${connectionTypeDefs('OAuthAuthorization')}
`;
