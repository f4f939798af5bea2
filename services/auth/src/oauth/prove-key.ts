import { checkProof, proofMemorySeconds } from '@itsm/shared/api/identity/dpop-proof';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { UsedOnceRepository } from '../security/used-once.repository';
import { OAuthError } from './oauth-error';

/** A DPoP proof, and the request that it must be for. */
interface Proof {
  readonly proof: string;
  readonly method: string;
  readonly address: string;
  readonly accessToken?: string;
}

/** Uses up a DPoP proof and returns the thumbprint of its key; `invalid_dpop_proof` for an invalid one. */
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
