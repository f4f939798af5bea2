import { z } from 'zod';
import type { Contract } from './contract';

/** RSA, ECDSA and HMAC with SHA-256, -384 and -512 (RFC 7518 §3.1), in the notation of policies. */
export const signingAlgorithms = [
  ...(['es256', 'es384', 'es512'] as const),
  ...(['rs256', 'rs384', 'rs512'] as const),
  ...(['hs256', 'hs384', 'hs512'] as const),
] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

export const policySavedSchema = z.object({
  id: z.int(),
  accountId: z.string(),
  state: z.enum(['enabled', 'disabled', 'deleted']),
  algorithm: z.enum(signingAlgorithms),
  audience: z.string().nullable(),
  /** The lifetime of a JWT; null means no expiry. */
  expiresInMinutes: z.int().min(1).nullable(),
  /** The `iss` claim for webhooks without and with discovery. */
  issuers: z.object({ account: z.string(), discovery: z.string() }),
  /** In order of `signsFrom`; the last one whose time has come signs. */
  keys: z.array(
    z.object({
      kid: z.string(),
      signsFrom: z.iso.datetime(),
      /** A PKCS #8 key as PEM, or the shared secret; sealed under the delivery key with `signingKeyContext`. */
      sealed: z.string(),
    }),
  ),
  /** Incremented by every save; an older message never overwrites a newer projection. */
  version: z.int(),
});
export type PolicySaved = z.infer<typeof policySavedSchema>;

/** Published by `webhooks`; `webhook-delivery` signs with it. */
export const policySaved: Contract<PolicySaved> = { name: 'webhooks.policy.saved.v1', schema: policySavedSchema };

/** The context that a sealed signing key is bound to. */
export const signingKeyContext = (kid: string): string => `webhook policy key ${kid}`;
