import { createPublicKey } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import { parseJson } from '@itsm/shared/api/http/parse';

/** Signature algorithms for client assertions; all are asymmetric (RFC 7518 §3.1, RFC 9864). */
export const assertionAlgorithms = ['ES256', 'PS256', 'RS256', 'EdDSA', 'Ed25519'] as const;

export const keyLimits = { keys: 10, text: 16_384 } as const;

const publicMembers = ['kty', 'use', 'key_ops', 'alg', 'kid', 'crv', 'x', 'y', 'n', 'e'] as const;
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const minModulusBits = 2048;

/** Parses a JWK set (RFC 7517 §5). Every key must be public and usable; otherwise `problem` says what is wrong. */
export function parseClientKeys(text: string): { readonly keys: readonly JsonWebKey[] } | { readonly problem: string } {
  if (text.length > keyLimits.text) return { problem: `is too long (at most ${keyLimits.text} characters)` };
  const keys = keysIn(text);
  if (!keys) return { problem: 'is not a JSON object {"keys": [...]} (JWK set)' };
  if (keys.length === 0 || keys.length > keyLimits.keys) {
    return { problem: `must have 1 to ${keyLimits.keys} keys` };
  }
  const problem = keys.map(problemOf).find((found) => found !== undefined);
  if (problem !== undefined) return { problem };
  const names = new Set(keys.map(({ kid }) => kid));
  if (keys.length > 1 && (names.has(undefined) || names.size < keys.length)) {
    return { problem: 'must have a kid for each of several keys, which no other has' };
  }
  return { keys: keys.map(onlyPublic) };
}

/** The settings of an application for authentication by keys. */
interface KeySettings {
  readonly jwks: string | null;
  readonly jwksUri: string | null;
  readonly privateKeyJwtRequired: boolean;
}

/** Why contradictory key settings are refused, by field. `allowInsecure` permits http, as for identity providers. */
export function keyProblems({ jwks, jwksUri, privateKeyJwtRequired }: KeySettings, allowInsecure: boolean) {
  const hasKeys = jwks !== null || jwksUri !== null;
  return {
    // RFC 7591 §2: not both.
    ...(jwks !== null && jwksUri !== null && { jwksUri: 'cannot be given beside keys' }),
    ...(jwksUri !== null && !isAddress(jwksUri, allowInsecure) && { jwksUri: 'is not a valid https address' }),
    ...(privateKeyJwtRequired && !hasKeys && { privateKeyJwtRequired: 'needs keys: clients could not authenticate' }),
  };
}

function isAddress(text: string, allowInsecure: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  const isSafe = protocol === 'https:' || (allowInsecure && protocol === 'http:');
  return isSafe && username === '' && password === '' && hash === '';
}

function keysIn(text: string): readonly JsonWebKey[] | undefined {
  const document = parseJson(text);
  if (!isObject(document) || !Array.isArray(document['keys'])) return undefined;
  const keys: unknown[] = document['keys'];
  return keys.every(isObject) ? keys : undefined;
}

function problemOf(jwk: JsonWebKey): string | undefined {
  if (secretMembers.some((member) => member in jwk)) {
    return 'must be public: one of its keys is private or shared, and nobody else may know it';
  }
  const { use, key_ops: operations, kid, alg } = jwk;
  if (use !== undefined && use !== 'sig') return 'must be for signatures (use: sig)';
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) {
    return 'must be for signatures (key_ops: verify)';
  }
  if (kid !== undefined && (typeof kid !== 'string' || kid === '' || kid.length > 255)) return 'has a malformed kid';
  if (!isUsable(jwk)) return `must have keys of RSA of at least ${minModulusBits} bits, P-256 or Ed25519`;
  if (alg !== undefined && !algorithmsFor(jwk).some((fitting) => fitting === alg))
    return 'has a key that cannot be used with its alg';
  return undefined;
}

function isUsable(jwk: JsonWebKey): boolean {
  if (algorithmsFor(jwk).length === 0) return false;
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: jwk, format: 'jwk' });
    const bits = asymmetricKeyDetails?.modulusLength ?? minModulusBits;
    return bits >= minModulusBits && bits <= 8192;
  } catch {
    return false;
  }
}

function algorithmsFor({ kty, crv }: JsonWebKey): readonly string[] {
  if (kty === 'RSA') return ['PS256', 'RS256'];
  if (kty === 'EC' && crv === 'P-256') return ['ES256'];
  return kty === 'OKP' && crv === 'Ed25519' ? ['EdDSA', 'Ed25519'] : [];
}

const onlyPublic = (jwk: JsonWebKey): JsonWebKey =>
  Object.fromEntries(publicMembers.flatMap((member) => (jwk[member] === undefined ? [] : [[member, jwk[member]]])));

const isObject = (value: unknown): value is JsonWebKey =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
