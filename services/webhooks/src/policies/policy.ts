import type { JsonWebKey } from 'node:crypto';
import type { SigningAlgorithm } from '@itsm/shared/contracts/webhook-policies';

/** A key of a policy; its secret part is sealed. */
export interface PolicyKey {
  readonly kid: string;
  readonly createdAt: Date;
  /** When it takes over from the key before it. */
  readonly signsFrom: Date;
  readonly sealed: string;
  /** Null for a shared secret. */
  readonly publicJwk: JsonWebKey | null;
}

/** A webhook policy: how deliveries are signed. */
export interface Policy {
  readonly id: number;
  readonly accountId: string;
  /** Unique in the account; part of the issuer's address. */
  readonly name: string;
  readonly algorithm: SigningAlgorithm;
  readonly audience: string | null;
  readonly expiresInMinutes: number | null;
  /** How long a key signs before the next one is made; null: rotation on request only. */
  readonly rotationDays: number | null;
  readonly disabled: boolean;
  /** Oldest first. */
  readonly keys: readonly PolicyKey[];
  readonly source: string | null;
  readonly sourceID: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Incremented by every change, for optimistic concurrency: of two concurrent changes neither overwrites the other. */
  readonly revision: number;
}

export const isShared = (algorithm: SigningAlgorithm): boolean => algorithm.startsWith('hs');
