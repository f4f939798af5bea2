import { createHash, createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** An ES256 key pair; `kid` is its RFC 7638 thumbprint. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export async function generateSigningKey(): Promise<SigningKey> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return toSigningKey(privateKey);
}

export const toPem = (key: SigningKey): string => key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
export const fromPem = (pem: string): SigningKey => toSigningKey(createPrivateKey(pem));

/** The public part as a member of a JWKS. */
export const toJwk = ({ kid, publicKey }: SigningKey): JsonWebKey => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
  alg: 'ES256',
  use: 'sig',
});

function toSigningKey(privateKey: KeyObject): SigningKey {
  const publicKey = createPublicKey(privateKey);
  const { crv, kty, x, y } = publicKey.export({ format: 'jwk' });
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return { kid, privateKey, publicKey };
}

/** `signsFrom`: when it replaces the previous key as the signing one. */
export interface ScheduledKey extends SigningKey {
  readonly createdAt: Date;
  readonly signsFrom: Date;
}

/** How long a key signs. */
export const rotateAfterMilliseconds = 30 * 86_400_000;
/** How long a key is published before it signs: well beyond the cache time of verifiers. */
export const publishMilliseconds = 15 * 60_000;
/** How long a key is kept after its last signature: its last JWT expires within a minute, plus clock skew. */
export const keepMilliseconds = 10 * 60_000;

/** The key that signs now; `keys` are oldest first. */
export const currentKey = <Key extends ScheduledKey>(keys: readonly Key[], now: Date): Key | undefined =>
  keys.findLast(({ signsFrom }) => signsFrom <= now) ?? keys[0];

export function isRotationDue(keys: readonly ScheduledKey[], now: Date): boolean {
  const newest = keys.at(-1);
  return !newest || newest.signsFrom.getTime() + rotateAfterMilliseconds <= now.getTime();
}

/** Keys whose last JWT has expired. */
export function retiredKeys<Key extends ScheduledKey>(keys: readonly Key[], now: Date): Key[] {
  const current = currentKey(keys, now);
  if (!current || current.signsFrom.getTime() + keepMilliseconds > now.getTime()) return [];
  return keys.slice(0, keys.indexOf(current));
}
