import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Access tokens (by authorization code; by exchange and client credentials), refresh token, authorization code,
 * personal access token, client secret, mailed link.
 */
const kinds = ['at', 'xt', 'rt', 'ac', 'pat', 'cs', 'ml'] as const;
export type TokenKind = (typeof kinds)[number];

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const payloadLength = 43;
const checksumLength = 6;
const format = new RegExp(
  `^itsm_(${kinds.join('|')})_([0-9A-Za-z]{${payloadLength}})([0-9A-Za-z]{${checksumLength}})$`,
);

/**
 * A secret of 256 random bits, `itsm_<kind>_<payload><checksum>`: the checksum lets secret scanners recognise leaked
 * tokens offline.
 */
export function createOpaqueToken(kind: TokenKind): string {
  const body = `itsm_${kind}_${base62(randomBytes(32), payloadLength)}`;
  return body + checksum(body);
}

/**
 * The kind of a well-formed token; `undefined` for a wrong form or checksum, so that invalid tokens cost no look-up.
 */
export function kindOf(token: string): TokenKind | undefined {
  const match = format.exec(token);
  if (!match || checksum(token.slice(0, -checksumLength)) !== match[3]) return undefined;
  return match[1] as TokenKind;
}

/** The SHA-256 digest in base64url, which is stored instead of the token. */
export const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

const checksum = (text: string): string =>
  base62(Buffer.from(crc32(text).toString(16).padStart(8, '0'), 'hex'), checksumLength);

function base62(bytes: Buffer, length: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  while (text.length < length) {
    text = alphabet.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
