import { listArguments } from '@itsm/shared/api/graphql/list-arguments';
import { connectionArguments, idFields } from '@itsm/shared/api/graphql/schema';
import { listingTypeDefs } from './listing';

const personInput = /* GraphQL */ `
    name: String
    "Unique in the account, whatever the case of its letters. A new one counts once the person has followed the link that is mailed to it."
    primaryEmail: String
    "What an identity provider calls the person; unique in the account."
    authenticationID: String
    "A language tag such as nl-NL."
    locale: String
    "A name such as Europe/Amsterdam."
    timeZone: String
    "The system that knows the person under the source ID."
    source: String
    sourceID: String
`;

/** People in the GraphQL API. */
export const personTypeDefs = /* GraphQL */ `
  type Query {
    "The person who makes the call."
    me: Person
    "People of the current account and of its directory account, and those who were given a role in it."
    people(${connectionArguments}, ${listArguments('Person')}): PersonConnection
    "One of these people; null when there is none with this id."
    person(id: ID!): Person
  }

  extend type Mutation {
    "Makes a person of the current account, who is mailed a link with which they choose a password; for account and directory administrators."
    personCreate(input: PersonCreateInput!): PersonCreatePayload
    "Changes a person of the current account; of people of its directory account, and of partners who have a role, only the roles in the current account."
    personUpdate(input: PersonUpdateInput!): PersonUpdatePayload
    "Offers roles in the current account to the person with this address in a partner's account, for 30 days; for account administrators."
    roleOfferCreate(input: RoleOfferCreateInput!): RoleOfferCreatePayload
  }

  enum PersonRole {
    account_administrator
    directory_administrator
    specialist
    auditor
    key_contact
    end_user
  }

  type Person implements Node @key(fields: "id") {
    ${idFields}
    name: String!
    primaryEmail: String!
    "Whether the person has followed a link that was mailed to the address; else it signs nobody in."
    verified: Boolean!
    "For the person and for administrators of their account."
    authenticationID: String
    supportID: String!
    source: String
    sourceID: String
    disabled: Boolean!
    locale: String!
    timeZone: String!
    "Those in the current account; end users and key contacts see their own alone."
    roles: [PersonRole!]!
    account: Account!
    "The accounts in which the person has roles, as far as the token reaches them; for \`me\` alone, FORBIDDEN for others."
    memberships: [Membership!]!
    createdAt: ISO8601Timestamp!
    updatedAt: ISO8601Timestamp!
  }

  "What a person may do in one account."
  type Membership {
    account: Account!
    roles: [PersonRole!]!
  }

  input PersonCreateInput {
    ${personInput}
    "Roles in the current account; end_user unless they are given."
    roles: [PersonRole!]
    clientMutationId: String
  }

  input PersonUpdateInput {
    id: ID!
    ${personInput}
    "All roles in the current account."
    roles: [PersonRole!]
    "All tokens of a disabled person die at once, and stay dead when the person is enabled again."
    disabled: Boolean
    clientMutationId: String
  }

  type PersonCreatePayload {
    "Null when the input was refused."
    person: Person
    errors: [ValidationError!]!
    clientMutationId: String
  }

  input RoleOfferCreateInput {
    "An account that trusts the current one, and that this one trusts."
    accountID: String!
    primaryEmail: String!
    "All roles in the current account; none takes back an offer."
    roles: [PersonRole!]!
    clientMutationId: String
  }

  "Roles that somebody may accept on their profile page; nothing of it says whether there is such a person."
  type RoleOffer {
    accountID: String!
    primaryEmail: String!
    roles: [PersonRole!]!
    expiresAt: ISO8601Timestamp!
  }

  type RoleOfferCreatePayload {
    "Null when the input was refused."
    roleOffer: RoleOffer
    errors: [ValidationError!]!
    clientMutationId: String
  }

  type PersonUpdatePayload {
    "Null when the input was refused."
    person: Person
    errors: [ValidationError!]!
    clientMutationId: String
  }

  ${listingTypeDefs('Person', {
    searched: 'name and address',
    filter: `
      id: PersonIdFilter
      "Compared in upper or lower case."
      primaryEmail: PersonTextFilter
      name: PersonTextFilter
      source: PersonTextFilter
      sourceID: PersonTextFilter
      disabled: Boolean
      createdAt: PersonTimestampFilter
      updatedAt: PersonTimestampFilter
    `,
    order: 'id name primaryEmail createdAt updatedAt',
  })}
`;
