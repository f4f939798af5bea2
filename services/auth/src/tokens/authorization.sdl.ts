import { connectionArguments, connectionTypeDefs } from '@itsm/shared/api/graphql/schema';

/** The authorizations of an application, for account administrators. */
export const authorizationTypeDefs = /* GraphQL */ `
  extend type Mutation {
    "Ends all tokens of the application that came from this person's consent. The application has to ask for consent again."
    oauthAuthorizationRevoke(input: OAuthAuthorizationRevokeInput!): OAuthAuthorizationRevokePayload
  }

  extend type OAuthApplication {
    "The authorizations for its present scopes, ordered by the ids of the people."
    authorizations(${connectionArguments}): OAuthAuthorizationConnection!
  }

  "A person's consent that an application may act for them."
  type OAuthAuthorization {
    id: ID!
    "Null for a person whom the current account cannot see; needs the scope person:Read."
    person: Person
    grantedAt: ISO8601Timestamp!
    "When one of its tokens was last used; kept to the minute."
    lastUsedAt: ISO8601Timestamp
  }

  input OAuthAuthorizationRevokeInput {
    id: ID!
    clientMutationId: String
  }

  type OAuthAuthorizationRevokePayload {
    "The application, without the authorization."
    oauthApplication: OAuthApplication
    errors: [ValidationError!]!
    clientMutationId: String
  }

  ${connectionTypeDefs('OAuthAuthorization')}
`;
