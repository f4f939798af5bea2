import { createHash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { CryptoKey, JWK, JWTHeaderParameters, JWTPayload } from 'jose';

/** A client's key for DPoP proofs, with its thumbprint. */
export interface DpopKey {
  readonly algorithm: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
  readonly jkt: string;
}

export async function makeDpopKey(algorithm = 'ES256'): Promise<DpopKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { algorithm, privateKey, jwk, jkt: await calculateJwkThumbprint(jwk) };
}

interface Made {
  readonly method: string;
  readonly address: string;
  readonly accessToken?: string;
  readonly now?: Date;
  /** Overrides of claims; undefined removes a claim. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** A valid proof, with `claims` and `header` overridden (RFC 9449 §4.2). */
export function proofOf(key: DpopKey, { method, address, accessToken, now = new Date(), ...more }: Made) {
  const claims: JWTPayload = {
    htm: method,
    htu: address,
    jti: randomUUID(),
    iat: Math.floor(now.getTime() / 1000),
    ...(accessToken !== undefined && { ath: hashOfToken(accessToken) }),
    ...more.claims,
  };
  const header = { alg: key.algorithm, typ: 'dpop+jwt', jwk: key.jwk, ...more.header } as JWTHeaderParameters;
  return new SignJWT(claims).setProtectedHeader(header).sign(key.privateKey);
}
