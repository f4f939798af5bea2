import { createPublicKey } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { signatureAlgorithms } from './signature-algorithms';

/** A key of a provider's JWKS that may verify signatures (RFC 7517 §4). */
export interface ProviderKey {
  readonly kid: string | undefined;
  readonly algorithm: string | undefined;
  readonly jwk: JsonWebKey;
  readonly key: KeyObject;
}

const maxKeys = 100;
const minModulusBits = 2048;

/** The usable keys of a JWKS; undefined for an invalid document. Keys of unknown types are skipped (RFC 7517 §5). */
export function toProviderKeys(document: Readonly<Record<string, unknown>>): readonly ProviderKey[] | undefined {
  const { keys } = document;
  if (!Array.isArray(keys)) return undefined;
  return keys.slice(0, maxKeys).flatMap((jwk: unknown) => toProviderKey(jwk) ?? []);
}

/** Selects the signing key by `kid` and `algorithm`; without a `kid` only if exactly one key fits. */
export function selectKey(
  keys: readonly ProviderKey[],
  kid: string | undefined,
  algorithm: string,
): ProviderKey | undefined {
  const [key, ...others] = kid === undefined ? keys : keys.filter((candidate) => candidate.kid === kid);
  return key && others.length === 0 && mayUse(key, algorithm) ? key : undefined;
}

const mayUse = (key: ProviderKey, algorithm: string): boolean =>
  (key.algorithm ?? algorithm) === algorithm && (signatureAlgorithms.get(algorithm)?.fits(key.jwk) ?? false);

function toProviderKey(value: unknown): ProviderKey | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const jwk = value as JsonWebKey;
  if (!isForSignatures(jwk) || !isPublicKind(jwk)) return undefined;
  const key = importKey(jwk);
  if (!key || (key.asymmetricKeyDetails?.modulusLength ?? minModulusBits) < minModulusBits) return undefined;
  return { kid: textOf(jwk['kid']), algorithm: textOf(jwk['alg']), jwk, key };
}

const isPublicKind = ({ kty }: JsonWebKey): boolean => kty === 'RSA' || kty === 'EC' || kty === 'OKP';

const isForSignatures = ({ use, key_ops: operations }: JsonWebKey): boolean =>
  (use === undefined || use === 'sig') && (!Array.isArray(operations) || operations.includes('verify'));

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function importKey(jwk: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return undefined;
  }
}
