import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { UsedOnceRepository } from '../security/used-once.repository';
import { toleranceSeconds } from './identity-claims';
import type { IdentityClaims } from './identity-claims';
import { signingInputOf } from './identity-token';
import { invalidGrant } from './oauth-error';

/** Uses up a verified subject token: `invalid_grant` when an application of the account has exchanged it before. */
export type UseSubjectToken = (accountId: string, text: string, claims: IdentityClaims) => Promise<void>;

export const createUseSubjectToken =
  (usedOnce: UsedOnceRepository): UseSubjectToken =>
  async (accountId, text, claims) => {
    const expiresAt = new Date((Number(claims['exp']) + toleranceSeconds) * 1000);
    const digest = digestOf(`subject token ${JSON.stringify([accountId, nameOf(text, claims)])}`);
    if (!(await usedOnce.use(digest, expiresAt))) {
      throw invalidGrant('The subject token was used before');
    }
  };

/**
 * The identity of a token: its `jti`, or the signed part of it. The signature does not count, since one message has several valid
 * signatures, as with ECDSA.
 */
function nameOf(text: string, { iss, jti }: IdentityClaims): string {
  return JSON.stringify(typeof jti === 'string' && jti !== '' ? [iss, jti] : signingInputOf(text));
}
