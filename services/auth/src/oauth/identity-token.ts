import { parseJson } from '@itsm/shared/api/http/parse';
import { invalidGrant } from './oauth-error';
import { signatureAlgorithms } from './signature-algorithms';
import type { SignatureAlgorithm } from './signature-algorithms';

type JsonObject = Readonly<Record<string, unknown>>;

/** A parsed JWT in compact form, not verified yet. */
export interface IdentityToken {
  readonly algorithm: string;
  readonly kid: string | undefined;
  readonly claims: JsonObject;
  readonly signingInput: string;
  readonly signature: Buffer;
}

export const maxTokenLength = 16_384;

/**
 * Accepted `typ` values. Others, such as `logout+jwt` and `dpop+jwt`, are signed with the same keys but do not identify
 * a caller (RFC 8725 §3.11).
 */
const types = new Set(['jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']);

/** Parses a signed JWT and refuses headers that are not allowed (RFC 7515 §4.1.11, RFC 8725 §3.1). */
export function parseIdentityToken(text: string): IdentityToken {
  const parts = text.split('.', 6);
  if (parts.length === 5) throw invalidGrant('The subject token is encrypted, which is not supported');
  const [header = '', payload = '', signature = ''] = parts;
  if (parts.length !== 3 || !parts.every((part) => /^[\w-]+$/.test(part))) {
    throw invalidGrant('The subject token is not a signed JWT');
  }
  return {
    ...checkHeader(parsePart(header)),
    claims: parsePart(payload),
    signingInput: `${header}.${payload}`,
    signature: Buffer.from(signature, 'base64url'),
  };
}

/** The signing input: header and payload. */
export const signingInputOf = (text: string): string => text.slice(0, text.lastIndexOf('.'));

/** The claims of an unverified token: only to look up the records that verification needs. */
export function unverifiedClaims(text: string): JsonObject {
  const value = parseJson(Buffer.from(text.split('.', 2)[1] ?? '', 'base64url').toString('utf8'));
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
}

/** Keys in the header, or URLs of keys (jwk, jku, x5u, x5c), are ignored: the sender must not choose the key. */
function checkHeader(header: JsonObject): Pick<IdentityToken, 'algorithm' | 'kid'> {
  const { alg, kid, typ } = header;
  if (typeof alg !== 'string' || !signatureAlgorithms.has(alg)) {
    throw invalidGrant('The subject token is not signed with an algorithm that is allowed');
  }
  if ('crit' in header) throw invalidGrant('The subject token has critical headers that are not understood');
  if (typ !== undefined && !(typeof typ === 'string' && types.has(typ.toLowerCase()))) {
    throw invalidGrant('The subject token is a JWT of another type');
  }
  if (kid !== undefined && typeof kid !== 'string') throw invalidGrant('The subject token has a malformed kid');
  return { algorithm: alg, kid };
}

function parsePart(part: string): JsonObject {
  const value = parseJson(Buffer.from(part, 'base64url').toString('utf8'));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidGrant('The subject token is not a signed JWT');
  }
  return value as JsonObject;
}

export const algorithmOf = ({ algorithm }: IdentityToken): SignatureAlgorithm => {
  const found = signatureAlgorithms.get(algorithm);
  if (!found) throw new Error('The algorithm was checked when the token was parsed');
  return found;
};
