import type { Scope } from '@itsm/shared/contracts/scopes';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import { alertOf } from './alert';
import type { AlertService } from './alert.service';
import { narrowScopes } from '../clients/scope-sets';
import type { Audit } from '../security/audit.service';
import { judge } from '../tokens/liveness';
import type { LiveGrant } from '../tokens/liveness';
import type { RevokeFamily } from '../tokens/revoke-family';
import { openSuccessor, sealSuccessor } from '../tokens/successors';
import { refreshTokenMilliseconds } from '../tokens/token';
import type { RefreshToken, Rotation, TokenPair } from '../tokens/token';
import { after, refreshEndOf } from '../tokens/issue-tokens';
import type { LastingFamily, TokenPairs } from '../tokens/issue-tokens';
import type { TokenRepository } from '../tokens/token.repository';
import type { AuthenticatedClient } from './client-authentication';
import type { Grant } from './grant';
import { invalidGrant } from './oauth-error';
import { required } from './parameters';
import { requestedActions } from './requested-scope';

interface Dependencies {
  readonly tokens: TokenRepository;
  readonly pairs: TokenPairs;
  readonly revokeFamily: RevokeFamily;
  readonly audit: Audit;
  readonly alerts: Pick<AlertService, 'raise'>;
  /** Grace period of rotation: for so long, a retry with the predecessor gets the same successors. */
  readonly graceMilliseconds: number;
  /** How long the tokens of an authorization code can be refreshed. */
  readonly refreshableMilliseconds: number;
  readonly logger: Logger;
  readonly now: Clock;
}

interface Loaded {
  readonly token: RefreshToken;
  readonly family: LastingFamily;
  readonly live: LiveGrant;
  readonly jkt: string | undefined;
  /** The scopes of the family. */
  readonly granted: readonly Scope[];
  /** The actions of the new access token; null for all of the family's. */
  readonly actions: readonly string[] | null;
}

/**
 * spec: OAuth: refresh token request. Each token is rotated once. A retry within the grace period gets the identical
 * pair, so that concurrent calls and retries do not lose the session. Later reuse revokes the family (RFC 9700
 * §4.14.2).
 */
export function createRefreshTokenGrant(dependencies: Dependencies): Grant {
  const { tokens, pairs, revokeFamily, audit, alerts, graceMilliseconds, logger, now } = dependencies;
  const { refreshableMilliseconds } = dependencies;

  const isOver = ({ at }: Rotation): boolean => now() >= after(at, graceMilliseconds);

  async function check({ token: { clientId }, presented }: AuthenticatedClient, asked: Asked): Promise<Loaded> {
    const found = presented.refresh;
    if (found?.subject.grant.clientId !== clientId) throw invalidGrant('The refresh token is unknown');
    const { subject: token, state } = found;
    const { createdAt = token.createdAt, expiresAt = token.expiresAt } = state.family ?? {};
    const endsAt = after(createdAt, refreshableMilliseconds);
    checkTimes(token, endsAt, now());
    const verdict = judge(token.grant, state, token.createdAt);
    if (verdict.kind === 'dead') {
      // Announce again: the process that revoked the family may have died before the announcement.
      if (state.family?.revokedAt && token.rotation && isOver(token.rotation)) await revokeFamily(token.grant);
      throw invalidGrant(verdict.because);
    }
    const granted = narrowScopes(verdict.grant.application.scopes, token.grant.actions);
    return {
      token,
      family: { grant: token.grant, expiresAt, endsAt },
      live: verdict.grant,
      jkt: asked.jkt,
      granted,
      actions: requestedActions(asked.scope, granted),
    };
  }

  async function rotate(text: string, loaded: Loaded, at: Date): Promise<TokenPair | undefined> {
    const { token, family, jkt, actions } = loaded;
    const pair = pairs.create(jkt, actions);
    if (!(await tokens.rotate(token.digest, sealSuccessor(text, pair), at))) return undefined;
    await pairs.store(pair, family, at, token.digest);
    if (token.predecessor !== null) await tokens.wipeSuccessor(token.predecessor);
    return pair;
  }

  /** Reuse means that one of two holders is a thief, so the family is revoked. */
  async function refuseReuse({ token: { grant }, live: { person, application } }: Loaded): Promise<never> {
    const { accountId, familyId, applicationId, clientId } = grant;
    logger.warn('refresh token reused', { familyId, applicationId });
    await revokeFamily(grant, async () => {
      const facts = { person, application, clientId, once: [familyId] };
      await audit.record(accountId, { event: 'refresh.reused', ...facts });
      await alerts.raise(alertOf('refresh.reused', { grant, applicationName: application.name, at: now() }));
    });
    throw invalidGrant('The refresh token was used before');
  }

  async function repeat(text: string, loaded: Loaded, { at, successor }: Rotation): Promise<TokenPair> {
    const { token, family, jkt, actions } = loaded;
    if (successor === null) throw invalidGrant('The refresh token was used before, and so was its successor');
    const pair = openSuccessor(text, successor);
    // The existing pair is bound to the key of the first call.
    if (pair.jkt !== jkt) throw invalidGrant('The refresh token was used before, with another DPoP key or with none');
    if (String(pair.actions ?? '') !== String(actions ?? ''))
      throw invalidGrant('The refresh token was used before, with another scope');
    // Store the pair again (idempotent): the process that rotated may have died before it did.
    await pairs.store(pair, family, at, token.digest);
    return pair;
  }

  /** The pair, and when it was made. */
  async function exchange(text: string, loaded: Loaded): Promise<{ pair: TokenPair; at: Date }> {
    const { token } = loaded;
    const at = now();
    const pair = token.rotation ? undefined : await rotate(text, loaded, at);
    if (pair) return { pair, at };
    const rotation = token.rotation ?? (await tokens.findRefresh(token.digest))?.rotation;
    if (!rotation) throw invalidGrant('The refresh token has expired');
    if (isOver(rotation)) return refuseReuse(loaded);
    return { pair: await repeat(text, loaded, rotation), at: rotation.at };
  }

  return {
    type: 'refresh_token',
    look: (parameters) => ({ secret: parameters.get('refresh_token') }),
    async redeem(client, parameters, key) {
      const text = required(parameters, 'refresh_token');
      const loaded = await check(client, { jkt: key?.jkt, scope: parameters.get('scope') });
      await key?.useUp();
      const { pair, at } = await exchange(text, loaded);
      return {
        ...pair,
        scopes: narrowScopes(loaded.granted, pair.actions),
        // As `expires_in`, from the rotation on, so that a repeated answer is identical.
        refreshMilliseconds: refreshEndOf(at, loaded.family.endsAt).getTime() - at.getTime(),
      };
    },
  };
}

interface Asked {
  readonly jkt: string | undefined;
  readonly scope: string | undefined;
}

/** Says whether the token or the whole family has ended. Of a family that is deleted already, the token's end tells. */
function checkTimes({ createdAt, endsAt: end }: RefreshToken, familyEndsAt: Date, now: Date): void {
  if (now < end && now < familyEndsAt) return;
  const isCut = end < after(createdAt, refreshTokenMilliseconds);
  throw invalidGrant(
    now >= familyEndsAt || isCut ? 'The authorization has reached its end' : 'The refresh token has expired',
  );
}
