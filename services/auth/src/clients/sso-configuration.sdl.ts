import { listArguments } from '@itsm/shared/api/graphql/list-arguments';
import { connectionArguments, idFields } from '@itsm/shared/api/graphql/schema';
import { listingTypeDefs } from '../directory/listing';

const payload = (name: string): string => `
  type ${name} {
    "Null when the input was refused."
    ssoConfiguration: SsoConfiguration
    errors: [ValidationError!]!
    clientMutationId: String
  }
`;

/** Optional fields of both inputs. */
const options = `
    clientId: String
    "The client secret. It is stored sealed, and deleted when the issuer changes."
    clientSecret: String
    "Whether the provider may know only the redirect URI that all providers shared once. False by default."
    formerRedirectUri: Boolean
    disabled: Boolean
    clientMutationId: String
`;

/** SDL of SSO configurations; they are for account administrators. */
export const ssoConfigurationTypeDefs = /* GraphQL */ `
  extend type Query {
    "SSO configurations that applications of the current account can be linked to: its own and those of its directory account."
    ssoConfigurations(${connectionArguments}, ${listArguments('SsoConfiguration')}): SsoConfigurationConnection
  }

  extend type Mutation {
    ssoConfigurationCreate(input: SsoConfigurationCreateInput!): SsoConfigurationCreatePayload
    ssoConfigurationUpdate(input: SsoConfigurationUpdateInput!): SsoConfigurationUpdatePayload
  }

  "An OpenID provider that the account trusts to say who a person is."
  type SsoConfiguration implements Node @key(fields: "id") {
    ${idFields}
    name: String!
    issuer: String!
    identifier: PersonIdentifier!
    "Whether an e-mail address needs the claim email_verified: true; otherwise the claim may be absent, but not false."
    emailVerifiedRequired: Boolean!
    "The client id for sign-in at the provider; null when people do not sign in there."
    clientId: String
    "Whether a client secret is stored; it is never shown."
    hasClientSecret: Boolean!
    "The redirect URI to register at the provider."
    redirectUri: String!
    "Whether the provider may know only the redirect URI that all providers shared once. It is used only while the provider promises to name itself in its answers (RFC 9207)."
    formerRedirectUri: Boolean!
    account: Account
    disabled: Boolean!
    createdAt: ISO8601Timestamp!
    updatedAt: ISO8601Timestamp!
  }

  enum PersonIdentifier {
    "The member email of a token is the primary e-mail of the person."
    primary_email
    "The member sub of a token is the authentication ID of the person."
    authentication_id
  }

  input SsoConfigurationCreateInput {
    name: String!
    "Exactly as the provider writes it."
    issuer: String!
    identifier: PersonIdentifier!
    "True by default."
    emailVerifiedRequired: Boolean
    ${options}
  }

  ${payload('SsoConfigurationCreatePayload')}

  input SsoConfigurationUpdateInput {
    id: ID!
    name: String
    issuer: String
    identifier: PersonIdentifier
    emailVerifiedRequired: Boolean
    ${options}
  }

  ${payload('SsoConfigurationUpdatePayload')}

  ${listingTypeDefs('SsoConfiguration', {
    searched: 'name and issuer',
    filter: `
      id: SsoConfigurationIdFilter
      name: SsoConfigurationTextFilter
      issuer: SsoConfigurationTextFilter
      disabled: Boolean
      createdAt: SsoConfigurationTimestampFilter
      updatedAt: SsoConfigurationTimestampFilter
    `,
    order: 'id name createdAt updatedAt',
  })}
`;
