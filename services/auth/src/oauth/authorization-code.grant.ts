import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import { alertOf } from './alert';
import type { AlertService } from './alert.service';
import { isOfInstallation } from '../clients/installed-application';
import { narrowScopes } from '../clients/scope-sets';
import type { Audit } from '../security/audit.service';
import { judge } from '../tokens/liveness';
import type { RevokeFamily } from '../tokens/revoke-family';
import type { TokenFamilyRepository } from '../tokens/token-family.repository';
import { familyMilliseconds } from '../tokens/token';
import { after, refreshEndOf } from '../tokens/issue-tokens';
import type { TokenPairs } from '../tokens/issue-tokens';
import type { Grant } from './grant';
import { invalidGrant } from './oauth-error';
import { required } from './parameters';
import { requestedActions } from './requested-scope';
import { createHash, timingSafeEqual } from 'node:crypto';

interface Dependencies {
  readonly families: TokenFamilyRepository;
  readonly pairs: TokenPairs;
  readonly revokeFamily: RevokeFamily;
  readonly audit: Audit;
  readonly alerts: Pick<AlertService, 'raise'>;
  /** How long the tokens of an authorization code can be refreshed. */
  readonly refreshableMilliseconds: number;
  readonly logger: Logger;
  readonly now: Clock;
}

/**
 * spec: OAuth: access token request (authorization code). A wrong client, redirect_uri or verifier does not use up the
 * code. A second use revokes the whole token family.
 */
export function createAuthorizationCodeGrant(dependencies: Dependencies): Grant {
  const { families, pairs, revokeFamily, audit, alerts, refreshableMilliseconds, logger, now } = dependencies;

  return {
    type: 'authorization_code',
    look: (parameters) => ({ secret: parameters.get('code') }),
    async redeem({ token: { clientId }, presented }, parameters, key) {
      required(parameters, 'code');
      if (presented.code?.subject.grant.clientId !== clientId) throw invalidGrant('The authorization code is unknown');
      const { subject, state } = presented.code;
      const { grant, code, createdAt } = subject;
      if (required(parameters, 'redirect_uri') !== code.redirectUri) {
        throw invalidGrant('redirect_uri differs from the one of the authorization request');
      }
      checkCodeVerifier(code.challenge, parameters.get('code_verifier'));
      checkCodeKey(code.jkt, key?.jkt);
      const verdict = judge(grant, state, createdAt);
      if (verdict.kind === 'dead') {
        // Announce again: the process that revoked the family may have died before the announcement.
        if (state.family?.revokedAt && code.usedAt) await revokeFamily(grant);
        throw invalidGrant(verdict.because);
      }
      const at = now();
      const { session } = state;
      if (session && session.expiresAt <= at) throw invalidGrant('The sign-in has ended');
      if (code.usedAt === null && code.expiresAt <= at) throw invalidGrant('The authorization code has expired');
      const { application } = verdict.grant;
      const granted = narrowScopes(application.scopes, grant.actions);
      const actions = requestedActions(parameters.get('scope'), granted);
      await key?.useUp();
      const expiresAt = after(at, familyMilliseconds);
      const first = await families.redeem(grant.accountId, grant.familyId, at, expiresAt);
      if (!first) {
        logger.warn('authorization code replayed', { familyId: grant.familyId, applicationId: grant.applicationId });
        const { person } = verdict.grant;
        await revokeFamily(grant, async () => {
          // Only the console has the secret and the verifier, so this is a retry and no attack.
          if (isOfInstallation(application)) return;
          const facts = { person, application, clientId, once: [grant.familyId] };
          await audit.record(grant.accountId, { event: 'code.replayed', ...facts });
          await alerts.raise(alertOf('code.replayed', { grant, applicationName: application.name, at }));
        });
        throw invalidGrant('The authorization code was used before');
      }
      const scopes = narrowScopes(granted, actions);
      // Tokens that end with the session get no refresh token: the client makes a new authorization request with prompt=none.
      if (session) {
        const narrowed = { ...grant, ...(actions && { actions }) };
        return { ...(await pairs.issueAlone(narrowed, key?.jkt, at, session.expiresAt)), scopes };
      }
      const pair = pairs.create(key?.jkt, actions);
      const endsAt = after(createdAt, refreshableMilliseconds);
      await pairs.store(pair, { grant, expiresAt, endsAt }, at, null);
      return { ...pair, scopes, refreshMilliseconds: refreshEndOf(at, endsAt).getTime() - at.getTime() };
    },
  };
}

/** A code that was requested for a key is redeemed only with a proof of that key (RFC 9449 §10). */
function checkCodeKey(named: string | undefined, jkt: string | undefined): void {
  if (named !== undefined && named !== jkt) throw invalidGrant('The key of the DPoP proof is not the one of dpop_jkt');
}

/** The verifier must match the challenge, and must be absent without a challenge (RFC 7636 §4.6, RFC 9700 §2.1.1). */
function checkCodeVerifier(challenge: string | null, verifier: string | undefined): void {
  if (challenge === null) {
    if (verifier !== undefined) throw invalidGrant('code_verifier was given, but the code was asked for without one');
    return;
  }
  if (verifier === undefined) throw invalidGrant('code_verifier is missing');
  if (!/^[\w.~-]{43,128}$/.test(verifier)) throw invalidGrant('code_verifier is malformed');
  const [computed, expected] = [createHash('sha256').update(verifier).digest(), Buffer.from(challenge, 'base64url')];
  if (!timingSafeEqual(computed, expected)) throw invalidGrant('code_verifier does not match the code_challenge');
}
