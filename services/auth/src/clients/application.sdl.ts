import { declaredTypeDefs } from '@itsm/shared/declared/declared.sdl';
import { applicationType } from './application';
import { clientTokenType } from './client-token';

/** SDL of applications and of their client tokens; both are for account administrators. */
export const applicationTypeDefs = /* GraphQL */ `
  ${declaredTypeDefs(applicationType)}

  ${declaredTypeDefs(clientTokenType, { create: '"Here and never again." clientSecret: String' })}

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
`;
