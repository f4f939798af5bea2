import { declaredTypeDefs } from '@itsm/shared/declared/declared.sdl';
import { accountType } from './account';

/** SDL of accounts and of their trusts. */
export const accountTypeDefs = /* GraphQL */ `
  ${declaredTypeDefs(accountType)}

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
`;
