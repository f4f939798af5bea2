import type { PolicySaved } from '@itsm/shared/contracts/webhook-policies';

/** A webhook policy as this service knows it: its rules, and its keys sealed. */
export type SigningPolicy = PolicySaved;
export type SealedKey = PolicySaved['keys'][number];

/** The key that signs at this moment; undefined when the policy has none left. */
export const currentKey = ({ keys }: SigningPolicy, now: Date): SealedKey | undefined =>
  keys.findLast(({ signsFrom }) => new Date(signsFrom) <= now);
