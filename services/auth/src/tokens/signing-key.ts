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
