import type { Coordination } from '@itsm/shared/stores/coordination/coordination';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import type { Post } from '@itsm/shared/outbound/mail/post';
import type { Outbound } from '@itsm/shared/outbound/calls/outbound';
import type { Relay } from '@itsm/shared/messages/outbox/outbox';
import type { Clock } from '@itsm/shared/base/time/clock';
import { createAccountAdministration } from './directory/account-administration.service';
import { createAccountService } from './directory/account.service';
import { createAlertService } from './oauth/alert.service';
import { createApplicationReferences } from './clients/application-references';
import { createApplicationService } from './clients/application.service';
import { createClientTokenService } from './clients/client-token.service';
import { createAudit } from './security/audit.service';
import { presentOrigin } from './sessions/request-origin';
import { createSecurityLogService } from './portal/security-log.service';
import { createAuthorizationService } from './tokens/authorization.service';
import { createAuthorizationResponses } from './sign-in/authorization-response';
import { createAuthorizeService } from './sign-in/authorize.service';
import { createIssueCode } from './sign-in/issue-code';
import { createWaitingRequests } from './sign-in/waiting-requests';
import { createAuthorizationCodeGrant } from './oauth/authorization-code.grant';
import { createAuthenticateClient } from './oauth/client-authentication';
import { createClientCredentialsGrant } from './oauth/client-credentials.grant';
import { createRefreshTokenGrant } from './oauth/refresh-token.grant';
import { createTokenExchangeGrant } from './oauth/token-exchange.grant';
import { createTokenService } from './oauth/token.service';
import { createProviderDocuments } from './oauth/provider-documents';
import { createProviderKeys } from './oauth/provider-keys';
import { createVerifyIdentityToken } from './oauth/verify-identity-token';
import { createLoadHolder } from './tokens/holder';
import { createIntrospectionService } from './tokens/caller-introspection.service';
import { createTokenIntrospectionService } from './oauth/token-introspection.service';
import type { Passwords } from './directory/password';
import { createLeaveAdministration } from './directory/last-administrator';
import { createPersonAdministration } from './directory/person-administration.service';
import { createPersonService } from './directory/person.service';
import { createPersonalAccessTokenService } from './tokens/personal-access-token.service';
import { createProfileService } from './portal/profile.service';
import type { Repositories } from './repositories';
import { createAnnounce } from './security/announce';
import { createRevocationService } from './oauth/revocation.service';
import { createRevokeFamily } from './tokens/revoke-family';
import { createSessionService } from './sessions/session.service';
import { createAttempts } from './security/attempts';
import { createSignInService } from './sign-in/sign-in.service';
import { createSigningKeys } from './tokens/signing-keys';
import { createSsoConfigurationService } from './clients/sso-configuration.service';
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
