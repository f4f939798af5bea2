import type { Clock } from '@itsm/shared/base/time/clock';
import { digestOf, kindOf } from '@itsm/shared/base/ids/opaque-token';
import type { Application } from '../clients/application';
import type { Audit } from '../security/audit.service';
import type { AuthenticateClient, ClientRequest } from './client-authentication';
import { OAuthError } from './oauth-error';
import { checkParameters, required } from './parameters';
import type { Granted, GrantStateRepository } from '../tokens/grant-state.repository';
import type { GrantReference } from '../tokens/token-family';
import type { TokenRepository } from '../tokens/token.repository';
import type { Announce } from '../security/announce';
import type { RevokeFamily } from '../tokens/revoke-family';

interface Dependencies {
  readonly authenticateClient: AuthenticateClient;
  readonly grantStates: GrantStateRepository;
  readonly tokens: TokenRepository;
  readonly revokeFamily: RevokeFamily;
  readonly announce: Announce;
  readonly audit: Audit;
  readonly now: Clock;
}

export interface RevocationService {
  /**
   * Revokes an access token, or with a refresh token its whole family (RFC 7009). An unknown token is a success.
   * `token_type_hint` is ignored, because the token's form shows its type.
   */
  revoke(request: ClientRequest): Promise<void>;
}

export function createRevocationService(dependencies: Dependencies): RevocationService {
  const { authenticateClient, grantStates, tokens, revokeFamily, announce, audit, now } = dependencies;

  /** Revokes the whole family of a refresh token. */
  async function revokeRefresh(digest: string, application: Application): Promise<void> {
    const found = await grantStates.findRefresh(digest);
    if (!found) return;
    checkOwner(found.subject.grant, application);
    await revokeFamily(found.subject.grant, () => record('refresh token', digest, found));
  }

  async function revokeAccess(digest: string, application: Application): Promise<void> {
    const found = await grantStates.findAccess(digest);
    if (!found) return;
    const { grant } = found.subject;
    checkOwner(grant, application);
    await tokens.revokeAccess(digest, now());
    await announce([grant.accountId, grant.applicationAccountId], () => record('access token', digest, found));
  }

  /** Writes one log entry per token, also for repeated calls. */
  async function record(
    what: string,
    digest: string,
    { subject, state }: Granted<{ readonly grant: GrantReference }>,
  ): Promise<void> {
    const { accountId, clientId } = subject.grant;
    const { person, application } = state;
    const named = { ...(person && { person }), ...(application && { application }) };
    await audit.record(accountId, { event: 'token.revoked', clientId, ...named, facts: { what }, once: [digest] });
  }

  return {
    async revoke(request: ClientRequest): Promise<void> {
      const parameters = checkParameters(request.body);
      const { application } = await authenticateClient(request, parameters);
      const token = required(parameters, 'token');
      const kind = kindOf(token);
      if (kind === 'rt') await revokeRefresh(digestOf(token), application);
      if (kind === 'at' || kind === 'xt') await revokeAccess(digestOf(token), application);
    },
  };
}

/** RFC 7009 §2.1: an error unless the token was issued to this client. */
function checkOwner({ applicationId }: GrantReference, { id }: Application): void {
  if (applicationId !== id) throw new OAuthError('unauthorized_client', 'The token was issued to another client');
}
