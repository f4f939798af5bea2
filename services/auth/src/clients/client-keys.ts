import { createPublicKey } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import { parseJson } from '@itsm/shared/api/http/parse';
import type { FieldError } from '@itsm/shared/base/errors/app-error';
import type { Application } from './application';

/** Signature algorithms for client assertions; all are asymmetric (RFC 7518 §3.1, RFC 9864). */
export const assertionAlgorithms = ['ES256', 'PS256', 'RS256', 'EdDSA', 'Ed25519'] as const;

export const keyLimits = { keys: 10, text: 16_384 } as const;

const publicMembers = ['kty', 'use', 'key_ops', 'alg', 'kid', 'crv', 'x', 'y', 'n', 'e'] as const;
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const minModulusBits = 2048;

/** Parses a JWK set (RFC 7517 §5). Every key must be public and usable; otherwise `problem` says what is wrong. */
export function parseClientKeys(text: string): { readonly keys: readonly JsonWebKey[] } | { readonly problem: string } {
  if (text.length > keyLimits.text) return { problem: `Keys are too long (at most ${keyLimits.text} characters)` };
  const keys = keysIn(text);
  if (!keys) return { problem: 'Keys are not a JSON object {"keys": [...]} (JWK set)' };
  if (keys.length === 0 || keys.length > keyLimits.keys) {
    return { problem: `Keys must be 1 to ${keyLimits.keys}` };
  }
  const problem = keys.map(problemOf).find((found) => found !== undefined);
  if (problem !== undefined) return { problem };
  const names = new Set(keys.map(({ kid }) => kid));
  if (keys.length > 1 && (names.has(undefined) || names.size < keys.length)) {
    return { problem: 'Several keys need a kid each, which no other has' };
  }
  return { keys: keys.map(onlyPublic) };
}

/** Each key in a few words: `EC P-256 · 2026-a`. */
export function describeClientKeys(jwks: string | null): string[] {
  const keys = (jwks === null ? undefined : keysIn(jwks)) ?? [];
  return keys.map(({ kty, crv, kid }) => [[kty, crv].filter(Boolean).join(' '), kid].filter(Boolean).join(' · '));
}

type KeySettings = Pick<Application, 'jwks' | 'jwksUri' | 'privateKeyJwtRequired'>;

/** Field errors for contradictory key settings. `allowInsecure` permits http, as for identity providers. */
export function keyProblems(
  { jwks, jwksUri, privateKeyJwtRequired }: KeySettings,
  allowInsecure: boolean,
): FieldError[] {
  const problems: FieldError[] = [];
  // RFC 7591 §2: not both.
  if (jwks !== null && jwksUri !== null) problems.push(['jwksUri', 'Keys are given or fetched, not both']);
  if (jwksUri !== null && !isAddress(jwksUri, allowInsecure)) {
    problems.push(['jwksUri', 'JWKS URI is not a valid https address']);
  }
  if (privateKeyJwtRequired && jwks === null && jwksUri === null) {
    problems.push(['privateKeyJwtRequired', 'Without keys the application could not authenticate']);
  }
  return problems;
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
    return 'Keys must be public: one of them is a private or a shared key, which nobody else may know';
  }
  const { use, key_ops: operations, kid, alg } = jwk;
  if (use !== undefined && use !== 'sig') return 'Keys must be for signatures (use: sig)';
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) {
    return 'Keys must be for signatures (key_ops: verify)';
  }
  if (kid !== undefined && (typeof kid !== 'string' || kid === '' || kid.length > 255)) return 'A kid is malformed';
  if (!isUsable(jwk)) return `Keys must be RSA of at least ${minModulusBits} bits, P-256 or Ed25519`;
  if (alg !== undefined && !algorithmsFor(jwk).some((fitting) => fitting === alg))
    return 'A key cannot be used with its alg';
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
