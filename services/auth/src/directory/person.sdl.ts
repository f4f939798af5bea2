import { listArguments } from '@itsm/shared/api/graphql/list-arguments';
import { connectionArguments } from '@itsm/shared/api/graphql/schema';
import { listingTypeDefs } from './listing';

const personInput = /* GraphQL */ `
    name: String
    "Unique in the account, whatever the case of its letters."
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
    "Makes a person of the current account; for account and directory administrators."
    personCreate(input: PersonCreateInput!): PersonCreatePayload
    "Changes a person of the current account; of people of its directory account and of partners only the roles in the current account."
    personUpdate(input: PersonUpdateInput!): PersonUpdatePayload
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
    id: ID!
    name: String!
    primaryEmail: String!
    "For the person and for administrators of their account."
    authenticationID: String
    supportID: String!
    source: String
    sourceID: String
    disabled: Boolean!
    locale: String!
    timeZone: String!
    "Those in the current account."
    roles: [PersonRole!]!
    account: Account!
    createdAt: ISO8601Timestamp!
    updatedAt: ISO8601Timestamp!
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
