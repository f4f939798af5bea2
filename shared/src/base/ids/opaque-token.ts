import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Access (authorization code), access (exchange and client credentials), refresh, authorization code, personal, client secret, mailed link. */
const kinds = ['at', 'xt', 'rt', 'ac', 'pat', 'cs', 'ml'] as const;
export type TokenKind = (typeof kinds)[number];

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const payloadLength = 43;
const checksumLength = 6;
const format = new RegExp(
  `^itsm_(${kinds.join('|')})_([0-9A-Za-z]{${payloadLength}})([0-9A-Za-z]{${checksumLength}})$`,
);

/** A secret of 256 random bits, `itsm_<kind>_<payload><checksum>`: the checksum lets scanners find leaks offline. */
export function createOpaqueToken(kind: TokenKind): string {
  const body = `itsm_${kind}_${base62(randomBytes(32), payloadLength)}`;
  return body + checksum(body);
}

/** The kind of a well-formed token; a wrong form or checksum is `undefined`, so that junk costs no look-up. */
export function kindOf(token: string): TokenKind | undefined {
  const match = format.exec(token);
  if (!match || checksum(token.slice(0, -checksumLength)) !== match[3]) return undefined;
  return match[1] as TokenKind;
}

/** What is stored instead of the token: SHA-256 in base64url. */
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
