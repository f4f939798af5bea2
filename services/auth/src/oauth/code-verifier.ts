import { createHash, timingSafeEqual } from 'node:crypto';
import { invalidGrant } from './oauth-error';

/** The verifier must be the one of the challenge, and absent when there was none (RFC 7636 §4.6, RFC 9700 §2.1.1). */
export function checkCodeVerifier(challenge: string | null, verifier: string | undefined): void {
  if (challenge === null) {
    if (verifier !== undefined) throw invalidGrant('code_verifier was given, but the code was asked for without one');
    return;
  }
  if (verifier === undefined) throw invalidGrant('code_verifier is missing');
  if (!/^[\w.~-]{43,128}$/.test(verifier)) throw invalidGrant('code_verifier is malformed');
  const [computed, expected] = [createHash('sha256').update(verifier).digest(), Buffer.from(challenge, 'base64url')];
  if (!timingSafeEqual(computed, expected)) throw invalidGrant('code_verifier does not match the code_challenge');
}
