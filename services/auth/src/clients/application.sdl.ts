import { listArguments } from '@itsm/shared/api/graphql/list-arguments';
import { connectionArguments, idFields } from '@itsm/shared/api/graphql/schema';
import { listingTypeDefs } from '../directory/listing';
import { grantTypes } from './application';

const settings = /* GraphQL */ `
  description: String
  "An https address."
  homepage: String
  "Some of ${grantTypes.join(', ')}."
  grantTypes: [String!]
  "Each https, http on a loopback address, or of a scheme of its own such as com.example.app; without fragment."
  redirectUris: [String!]
  "Required for token exchange: who signs the tokens."
  ssoConfigurationId: ID
  "Required for token exchange: what the tokens must name as their audience."
  audience: String
  "Required for client credentials: a person of the account or of its directory account."
  actsAsPersonId: ID
  "Whether authorization requests need PKCE, by default true. Private-use schemes always need it."
  pkceRequired: Boolean
  "Public keys, for authentication by private_key_jwt: a JWK set as JSON, of RSA (at least 2048 bits), P-256 or Ed25519 keys."
  jwks: String
  "The https address of the JWK set, instead of the set itself."
  jwksUri: String
  "Whether clients must authenticate with their keys, so that secrets are refused; by default false."
  privateKeyJwtRequired: Boolean
`;

/** SDL of applications and of their client tokens; both are for account administrators. */
export const applicationTypeDefs = /* GraphQL */ `
  extend type Query {
    "Applications of the current account."
    oauthApplications(${connectionArguments}, ${listArguments('OAuthApplication')}): OAuthApplicationConnection
    "One of them; null when there is none with this id."
    oauthApplication(id: ID!): OAuthApplication
  }

  extend type Mutation {
    oauthApplicationCreate(input: OAuthApplicationCreateInput!): OAuthApplicationCreatePayload
    "Other scopes make void what was granted before, and so does disabling; both at once."
    oauthApplicationUpdate(input: OAuthApplicationUpdateInput!): OAuthApplicationUpdatePayload
    "Deletes the application for good. All its tokens and authorizations end."
    oauthApplicationDelete(input: OAuthApplicationDeleteInput!): OAuthApplicationDeletePayload
    oauthApplicationTokenCreate(input: OAuthApplicationTokenCreateInput!): OAuthApplicationTokenCreatePayload
    oauthApplicationTokenUpdate(input: OAuthApplicationTokenUpdateInput!): OAuthApplicationTokenUpdatePayload
    oauthApplicationTokenDelete(input: OAuthApplicationTokenDeleteInput!): OAuthApplicationTokenDeletePayload
  }

  "An application that calls the API for people or for itself."
  type OAuthApplication implements Node @key(fields: "id") {
    ${idFields}
    name: String!
    description: String!
    homepage: String
    grantTypes: [String!]!
    redirectUris: [String!]!
    scopes: [OAuthScope!]!
    ssoConfiguration: SsoConfiguration
    audience: String
    actsAsPerson: Person
    pkceRequired: Boolean!
    jwks: String
    jwksUri: String
    privateKeyJwtRequired: Boolean!
    disabled: Boolean!
    "At most ten; each works on its own."
    tokens: [OAuthApplicationToken!]!
  }

  "A client id with its secret, which is shown once: in the answer to oauthApplicationTokenCreate."
  type OAuthApplicationToken {
    id: ID!
    clientId: String!
    "Its name."
    name: String
    disabled: Boolean!
    createdAt: ISO8601Timestamp!
    "When its client last authenticated; kept to the minute."
    lastUsedAt: ISO8601Timestamp
  }

  enum OAuthScopeEffect {
    allow
    "Wins over allow."
    deny
  }

  type OAuthScope {
    effect: OAuthScopeEffect!
    "Such as request:Read, request:*, *:Read."
    actions: [String!]!
    "The account it is limited to."
    account: String
  }

  input OAuthScopeInput {
    effect: OAuthScopeEffect!
    actions: [String!]!
    account: String
  }

  input OAuthApplicationCreateInput {
    name: String!
    scopes: [OAuthScopeInput!]!
    ${settings}
    clientMutationId: String
  }

  type OAuthApplicationCreatePayload {
    "Null when the input was refused."
    oauthApplication: OAuthApplication
    errors: [ValidationError!]!
    clientMutationId: String
  }

  input OAuthApplicationUpdateInput {
    id: ID!
    name: String
    scopes: [OAuthScopeInput!]
    ${settings}
    disabled: Boolean
    clientMutationId: String
  }

  type OAuthApplicationUpdatePayload {
    "Null when the input was refused."
    oauthApplication: OAuthApplication
    errors: [ValidationError!]!
    clientMutationId: String
  }

  input OAuthApplicationDeleteInput {
    id: ID!
    clientMutationId: String
  }

  type OAuthApplicationDeletePayload {
    deletedId: ID
    errors: [ValidationError!]!
    clientMutationId: String
  }

  input OAuthApplicationTokenCreateInput {
    applicationId: ID!
    "The name of the token."
    name: String
    clientMutationId: String
  }

  type OAuthApplicationTokenCreatePayload {
    oauthApplicationToken: OAuthApplicationToken
    "Here and never again."
    clientSecret: String
    errors: [ValidationError!]!
    clientMutationId: String
  }

  input OAuthApplicationTokenUpdateInput {
    id: ID!
    "What was got with a disabled token is void, and stays void when the token is enabled again."
    disabled: Boolean!
    clientMutationId: String
  }

  type OAuthApplicationTokenUpdatePayload {
    oauthApplicationToken: OAuthApplicationToken
    errors: [ValidationError!]!
    clientMutationId: String
  }

  input OAuthApplicationTokenDeleteInput {
    id: ID!
    clientMutationId: String
  }

  type OAuthApplicationTokenDeletePayload {
    "The application without the token."
    oauthApplication: OAuthApplication
    errors: [ValidationError!]!
    clientMutationId: String
  }

  ${listingTypeDefs('OAuthApplication', {
    searched: 'name and description',
    filter: `
      id: OAuthApplicationIdFilter
      name: OAuthApplicationTextFilter
      disabled: Boolean
    `,
    order: 'id name',
  })}
`;
