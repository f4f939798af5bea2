import { listArguments } from '@itsm/shared/api/graphql/list-arguments';
import { connectionArguments, idFields } from '@itsm/shared/api/graphql/schema';
import { listingTypeDefs } from './listing';

const personInput = /* GraphQL */ `
    name: String
    "Unique in the account, regardless of case. A new address takes effect when the person follows the link that is mailed to it."
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

/** SDL of people. */
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
    "Creates a person in the current account, and mails them a link for choosing a password; for account and directory administrators."
    personCreate(input: PersonCreateInput!): PersonCreatePayload
    "Changes a person of the current account; of people of its directory account, and of partners who have a role, only the roles in the current account."
    personUpdate(input: PersonUpdateInput!): PersonUpdatePayload
    "Offers roles in the current account to the person with this address in a partner account, for 30 days; for account administrators."
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
    "Whether the person has followed a link that was mailed to the address. An unverified address cannot be used to sign in."
    verified: Boolean!
    "For the person and for administrators of their account."
    authenticationID: String
    supportID: String!
    source: String
    sourceID: String
    disabled: Boolean!
    locale: String!
    timeZone: String!
    "The roles in the current account; end users and key contacts see only their own."
    roles: [PersonRole!]!
    account: Account!
    "The accounts in which the person has roles and that the token permits; for \`me\` only, FORBIDDEN for other people."
    memberships: [Membership!]!
    createdAt: ISO8601Timestamp!
    updatedAt: ISO8601Timestamp!
  }

  "The roles of a person in one account."
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
    "An account in mutual trust with the current one."
    accountID: String!
    primaryEmail: String!
    "All roles in the current account; an empty list withdraws the offer."
    roles: [PersonRole!]!
    clientMutationId: String
  }

  "Roles that a person can accept on their profile page. The offer does not reveal whether the person exists."
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
    views: `
    "Everybody whom the caller may see: the same people as in the current account."
    all
    "People of the current account and of its directory account, and those who were given a role in it."
    current_account`,
  })}
`;
