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

/** The key of a valid DPoP proof. */
export interface ProvenKey {
  /** The thumbprint of the key. */
  readonly jkt: string;
  /**
   * Stores that the proof was used; `invalid_dpop_proof` when it was used before. To be called when everything else about the
   * request is valid: otherwise anybody could fill the store with proofs for made-up tokens.
   */
  useUp(): Promise<void>;
}

/** Checks a DPoP proof; `invalid_dpop_proof` for an invalid one. Stores nothing. */
export type ProveKey = (proof: Proof) => Promise<ProvenKey>;

export const createProveKey =
  (usedOnce: UsedOnceRepository, now: Clock): ProveKey =>
  async (given) => {
    const at = now();
    const verdict = await checkProof({ ...given, now: at });
    if (verdict.kind === 'refused') throw invalidProof(verdict.because);
    const expiresAt = new Date(at.getTime() + proofMemorySeconds * 1000);
    return {
      jkt: verdict.jkt,
      async useUp() {
        if (!(await usedOnce.use(verdict.digest, expiresAt))) throw invalidProof('The DPoP proof was used before');
      },
    };
  };

const invalidProof = (because: string): OAuthError => new OAuthError('invalid_dpop_proof', because);
