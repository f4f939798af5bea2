import { checkProof, proofMemorySeconds } from '@itsm/shared/api/identity/dpop-proof';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { UsedOnceRepository } from '../security/used-once.repository';
import { OAuthError } from './oauth-error';

/** What a proof of possession says it was made for. */
interface Proof {
  readonly proof: string;
  readonly method: string;
  readonly address: string;
  readonly accessToken?: string;
}

/** The thumbprint of the key that a DPoP proof proves, which is used up then; `invalid_dpop_proof` for one that does not count. */
export type ProveKey = (proof: Proof) => Promise<string>;

export const createProveKey =
  (usedOnce: UsedOnceRepository, now: Clock): ProveKey =>
  async (given) => {
    const at = now();
    const verdict = await checkProof({ ...given, now: at });
    if (verdict.kind === 'refused') throw invalidProof(verdict.because);
    const expiresAt = new Date(at.getTime() + proofMemorySeconds * 1000);
    if (!(await usedOnce.use(verdict.digest, expiresAt))) throw invalidProof('The DPoP proof was used before');
    return verdict.jkt;
  };

const invalidProof = (because: string): OAuthError => new OAuthError('invalid_dpop_proof', because);
