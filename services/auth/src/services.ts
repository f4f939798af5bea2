import type { Coordination } from '@itsm/shared/coordination/coordination';
import type { Logger } from '@itsm/shared/logs/logger';
import type { Sequence } from '@itsm/shared/mongo/sequence';
import type { Post } from '@itsm/shared/mail/post';
import type { Outbound } from '@itsm/shared/outbound/outbound';
import type { Relay } from '@itsm/shared/outbox/outbox';
import type { Clock } from '@itsm/shared/time/clock';
import { createAccountAdministration } from './accounts/account-administration.service';
import { createAccountService } from './accounts/account.service';
import { createAlertService } from './alerts/alert.service';
import { createApplicationReferences } from './applications/application-references';
import { createApplicationService } from './applications/application.service';
import { createClientTokenService } from './applications/client-token.service';
import { createAudit } from './audit/audit.service';
import { presentOrigin } from './audit/request-origin';
import { createSecurityLogService } from './audit/security-log.service';
import { createAuthorizationService } from './authorizations/authorization.service';
import { createAuthorizationResponses } from './authorize/authorization-response';
import { createAuthorizeService } from './authorize/authorize.service';
import { createIssueCode } from './authorize/issue-code';
import { createWaitingRequests } from './authorize/waiting-requests';
import { createAuthorizationCodeGrant } from './grants/authorization-code.grant';
import { createAuthenticateClient } from './grants/client-authentication';
import { createClientCredentialsGrant } from './grants/client-credentials.grant';
import { createRefreshTokenGrant } from './grants/refresh-token.grant';
import { createTokenExchangeGrant } from './grants/token-exchange.grant';
import { createTokenService } from './grants/token.service';
import { createProviderDocuments } from './identity-providers/provider-documents';
import { createProviderKeys } from './identity-providers/provider-keys';
import { createVerifyIdentityToken } from './identity-providers/verify-identity-token';
import { createLoadHolder } from './introspection/holder';
import { createIntrospectionService } from './introspection/introspection.service';
import { createTokenIntrospectionService } from './introspection/token-introspection.service';
import type { Passwords } from './passwords/password';
import { createLeaveAdministration } from './people/last-administrator';
import { createPersonAdministration } from './people/person-administration.service';
import { createPersonService } from './people/person.service';
import { createPersonalAccessTokenService } from './personal-access-tokens/personal-access-token.service';
import { createProfileService } from './profile/profile.service';
import type { Repositories } from './repositories';
import { createAnnounce } from './revocations/announce';
import { createRevocationService } from './revocations/revocation.service';
import { createRevokeFamily } from './revocations/revoke-family';
import { createSessionService } from './sessions/session.service';
import { createAttempts } from './sign-in/attempts';
import { createSignInService } from './sign-in/sign-in.service';
import { createSigningKeys } from './signing-keys/signing-keys';
import { createSsoConfigurationService } from './sso-configurations/sso-configuration.service';
import { createIssueAccessToken } from './tokens/issue-access-token';
import { createTokenPairs } from './tokens/token-pairs';

interface Dependencies {
  readonly repositories: Repositories;
  readonly coordination: Coordination | undefined;
  readonly passwords: Passwords;
  readonly sequence: Sequence;
  readonly relay: Relay;
  readonly issuer: string;
  readonly nodeIdDomain: string;
  /** How long the predecessor of a refresh token still yields the same successors. */
  readonly graceMilliseconds: number;
  readonly allowInsecureProviders: boolean;
  /** The way to identity providers. */
  readonly outbound: Pick<Outbound, 'fetchJson'>;
  readonly post: Post;
  readonly logger: Logger;
  readonly now: Clock;
}

export type Services = ReturnType<typeof createServices>;

/** The use cases of auth, put together. */
export function createServices({
  repositories,
  coordination,
  issuer,
  allowInsecureProviders,
  graceMilliseconds,
  outbound,
  post,
  ...given
}: Dependencies) {
  const { families, tokens } = repositories;
  const { logger, now } = given;
  const base = { ...given, audit: createAudit({ ...repositories, presentOrigin, logger, now }) };
  const announce = createAnnounce(coordination, logger);
  const keys = createSigningKeys({ ...repositories, logger, now });
  const loadHolder = createLoadHolder({ ...repositories, logger, now });
  const authorizations = createAuthorizationService({ ...repositories, ...base, announce });
  const ssoConfigurations = createSsoConfigurationService({ ...repositories, ...base, allowInsecureProviders });
  const references = createApplicationReferences({ ...repositories, ssoConfigurations });
  const findProviderKey = createProviderKeys(createProviderDocuments(outbound), now);
  const sessions = createSessionService({ ...repositories, now });
  const attempts = createAttempts(repositories.throttles, now);
  const waiting = createWaitingRequests(repositories.waitingRequests, now);
  const issueAccessToken = createIssueAccessToken(tokens, now);
  const authenticateClient = createAuthenticateClient({ ...repositories, ...base, attempts });
  const revokeFamily = createRevokeFamily(families, announce, now);
  const alerts = createAlertService({ ...repositories, post, profileUrl: `${issuer}/oauth/profile`, logger, now });
  const issuing = {
    ...{ ...repositories, audit: base.audit, alerts, logger, now },
    pairs: createTokenPairs(tokens, families),
    revokeFamily,
  };
  return {
    alerts,
    keys,
    sessions,
    waiting,
    authorizations,
    accounts: createAccountService({ ...repositories, ...base }),
    accountAdministration: createAccountAdministration({ ...repositories, ...base, announce }),
    personAdministration: createPersonAdministration({
      ...{ ...repositories, ...base, announce },
      leaveAdministration: createLeaveAdministration({ ...repositories, now }),
    }),
    persons: createPersonService({ ...repositories, ...base, announce }),
    applications: createApplicationService({ ...repositories, ...base, references, announce }),
    clientTokens: createClientTokenService({ ...repositories, ...base, announce }),
    personalTokens: createPersonalAccessTokenService({ ...repositories, ...base, announce }),
    profile: createProfileService({ ...repositories, now }),
    securityLog: createSecurityLogService({ ...repositories, now }),
    signIn: createSignInService({ ...repositories, ...base, attempts, sessions }),
    ssoConfigurations,
    references,
    authorize: createAuthorizeService({
      ...{ ...repositories, ...base, authorizations, waiting },
      issueCode: createIssueCode(families, now),
      responses: createAuthorizationResponses(issuer),
    }),
    tokens: createTokenService({
      grants: [
        createAuthorizationCodeGrant(issuing),
        createRefreshTokenGrant({ ...issuing, graceMilliseconds }),
        createClientCredentialsGrant({ ...repositories, issueAccessToken }),
        createTokenExchangeGrant({
          ...{ ...base, ssoConfigurations, issueAccessToken },
          verifyIdentityToken: createVerifyIdentityToken(findProviderKey, now),
        }),
      ],
      authenticateClient,
    }),
    revocations: createRevocationService({ ...repositories, ...base, authenticateClient, revokeFamily, announce }),
    tokenIntrospection: createTokenIntrospectionService({
      ...{ ...repositories, authenticateClient, loadHolder, issuer, now },
    }),
    introspection: createIntrospectionService({ loadHolder, keys, now }),
  };
}
