import { listArguments } from '@itsm/shared/api/graphql/list-arguments';
import { connectionArguments } from '@itsm/shared/api/graphql/schema';
import { listingTypeDefs } from './listing';

/** SDL of accounts. */
export const accountTypeDefs = /* GraphQL */ `
  extend type Query {
    "The current account, its directory account, the accounts it is the directory account of, and those it trusts and is trusted by."
    accounts(${connectionArguments}, ${listArguments('Account')}): AccountConnection
    "One of these accounts, the current one without an id; null when there is none with this id."
    account(id: ID): Account
  }

  extend type Mutation {
    "Changes the current account, or disables and enables one that it is the directory account of; for account administrators."
    accountUpdate(input: AccountUpdateInput!): AccountUpdatePayload
  }

  type Account implements Node @key(fields: "id") {
    id: ID!
    "The value of the header X-Service-Account."
    accountID: String!
    name: String!
    customUrl: String
    disabled: Boolean!
    directoryAccount: Account
    "The accounts it works with, as far as it says so itself; of the current account only."
    trusts: [AccountTrust!]!
  }

  type AccountTrust {
    accountID: String!
    "What that account is for this one."
    as: AccountTrustRole!
    "Whether that account says the same, which brings the trust in force."
    mutual: Boolean!
    "Until the trust is in force an account that the current one does not see otherwise is named by its ID, without any other data."
    account: Account
  }

  enum AccountTrustRole {
    provider
    customer
  }

  input AccountTrustInput {
    accountID: String!
    as: AccountTrustRole!
  }

  input AccountUpdateInput {
    "The current account unless it is given."
    id: ID
    name: String
    "Under https."
    customUrl: String
    "All of them; those that are left out end."
    trusts: [AccountTrustInput!]
    "Of another account only. All tokens of a disabled account die at once, and stay dead when it is enabled again."
    disabled: Boolean
    clientMutationId: String
  }

  type AccountUpdatePayload {
    "Null when the input was refused."
    account: Account
    errors: [ValidationError!]!
    clientMutationId: String
  }

  ${listingTypeDefs('Account', {
    searched: 'name and ID',
    filter: `
      "By node id, or as in the header X-Service-Account."
      id: AccountIdFilter
      name: AccountTextFilter
      disabled: Boolean
    `,
    order: 'id name',
  })}
`;
