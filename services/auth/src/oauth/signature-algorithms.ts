import { constants, verify } from 'node:crypto';
import type { JsonWebKey, KeyObject, SigningOptions } from 'node:crypto';

/** Parameters of a JOSE signature algorithm (RFC 7518 §3.1, RFC 8037 §3.1). */
export interface SignatureAlgorithm {
  readonly hash: string | null;
  readonly options: SigningOptions;
  readonly fits: (jwk: JsonWebKey) => boolean;
}

const isRsa = ({ kty }: JsonWebKey): boolean => kty === 'RSA';
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };

const rs = (hash: string): SignatureAlgorithm => ({ hash, options: {}, fits: isRsa });
const ps = (hash: string): SignatureAlgorithm => ({ hash, options: pss, fits: isRsa });
const es = (hash: string, curve: string): SignatureAlgorithm => ({
  hash,
  options: { dsaEncoding: 'ieee-p1363' },
  fits: ({ kty, crv }) => kty === 'EC' && crv === curve,
});
const edDsa: SignatureAlgorithm = {
  hash: null,
  options: {},
  fits: ({ kty, crv }) => kty === 'OKP' && (crv === 'Ed25519' || crv === 'Ed448'),
};

const ed25519: SignatureAlgorithm = { ...edDsa, fits: ({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519' };

/** The allowed signature algorithms of identity tokens. All are asymmetric. */
export const signatureAlgorithms: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  ['RS256', rs('sha256')],
  ['RS384', rs('sha384')],
  ['RS512', rs('sha512')],
  ['PS256', ps('sha256')],
  ['PS384', ps('sha384')],
  ['PS512', ps('sha512')],
  ['ES256', es('sha256', 'P-256')],
  ['ES384', es('sha384', 'P-384')],
  ['ES512', es('sha512', 'P-521')],
  ['EdDSA', edDsa],
  // RFC 9864: one algorithm name per curve.
  ['Ed25519', ed25519],
]);

export function isSignedBy(
  { hash, options }: SignatureAlgorithm,
  key: KeyObject,
  signingInput: string,
  signature: Buffer,
): boolean {
  try {
    return verify(hash, Buffer.from(signingInput), { key, ...options }, signature);
  } catch {
    // Node throws for a malformed signature.
    return false;
  }
}
