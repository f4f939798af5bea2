import { roles } from '@itsm/shared/contracts/directory';
import { declaredTypeDefs, payloadTypeDefs } from '@itsm/shared/declared/declared.sdl';
import { personType } from './person';

/** SDL of people, and of roles that are offered to them. */
export const personTypeDefs = /* GraphQL */ `
  type Query {
    "The person who makes the call."
    me: Person
  }

  ${declaredTypeDefs(personType)}

  extend type Person {
    "The accounts in which the person has roles and that the token permits; for \`me\` only, FORBIDDEN for other people."
    memberships: [Membership!]!
  }

  enum PersonRole { ${roles.join(' ')} }

  "The roles of a person in one account."
  type Membership {
    account: Account!
    roles: [PersonRole!]!
  }

  extend type Mutation {
    "Mails the person a new link for choosing the first password or confirming the address; for account and directory administrators."
    personInvite(input: PersonInviteInput!): PersonInvitePayload
    "Mails the person a link for choosing another password; the present one works until then; for account and directory administrators."
    personResetPassword(input: PersonResetPasswordInput!): PersonResetPasswordPayload
    "Offers roles in the current account to the person with this address in a partner account, for 30 days; for account administrators."
    roleOfferCreate(input: RoleOfferCreateInput!): RoleOfferCreatePayload
  }

  input PersonInviteInput {
    id: ID!
    clientMutationId: String
  }

  ${payloadTypeDefs(personType, 'Invite')}

  input PersonResetPasswordInput {
    id: ID!
    clientMutationId: String
  }

  ${payloadTypeDefs(personType, 'ResetPassword')}

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
`;
