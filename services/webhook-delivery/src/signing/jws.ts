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

/**
 * Signs `claims`, a JSON text, as a JWT in JWS Compact Serialization (RFC 7515 §7.1). RSA and ECDSA run in the thread
 * pool, off the event loop.
 */
export async function signJwt({ algorithm, kid, key }: JwsKey, claims: string): Promise<string> {
  const header = JSON.stringify({ alg: algorithm.toUpperCase(), typ: 'JWT', kid });
  const input = `${toBase64url(header)}.${toBase64url(claims)}`;
  return `${input}.${(await signatureOf(algorithm, key, Buffer.from(input))).toString('base64url')}`;
}

const toBase64url = (text: string): string => Buffer.from(text).toString('base64url');

async function signatureOf(algorithm: SigningAlgorithm, key: KeyObject, input: Buffer): Promise<Buffer> {
  const hash = `sha${algorithm.slice(2)}`;
  if (algorithm.startsWith('hs')) return createHmac(hash, key).update(input).digest();
  // RFC 7518 §3.4: ECDSA signatures are R and S concatenated. RSA ignores the option.
  return signAsynchronously(hash, input, { key, dsaEncoding: 'ieee-p1363' });
}
