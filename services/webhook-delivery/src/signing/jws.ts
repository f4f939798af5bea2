import { createHmac, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { SigningAlgorithm } from '@itsm/shared/contracts/webhook-policies';

export interface JwsKey {
  readonly algorithm: SigningAlgorithm;
  readonly kid: string;
  readonly key: KeyObject;
}

const signAsynchronously = promisify(sign);

/** The JWS Compact Serialization of a JWT (RFC 7515 §7.1) over `claims`, a JSON text. RSA and ECDSA work off the event loop. */
export async function signJwt({ algorithm, kid, key }: JwsKey, claims: string): Promise<string> {
  const header = JSON.stringify({ alg: algorithm.toUpperCase(), typ: 'JWT', kid });
  const input = `${toBase64url(header)}.${toBase64url(claims)}`;
  return `${input}.${(await signatureOf(algorithm, key, Buffer.from(input))).toString('base64url')}`;
}

const toBase64url = (text: string): string => Buffer.from(text).toString('base64url');

async function signatureOf(algorithm: SigningAlgorithm, key: KeyObject, input: Buffer): Promise<Buffer> {
  const hash = `sha${algorithm.slice(2)}`;
  if (algorithm.startsWith('hs')) return createHmac(hash, key).update(input).digest();
  // RFC 7518 §3.4: R and S side by side, which means nothing to RSA.
  return signAsynchronously(hash, input, { key, dsaEncoding: 'ieee-p1363' });
}
