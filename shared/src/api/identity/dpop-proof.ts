import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, errors, jwtVerify } from 'jose';
import type { JWTPayload, JWTVerifyResult } from 'jose';
import { digestOf } from '../../base/ids/opaque-token';
import { AppError } from '../../base/errors/app-error';
import { epochSeconds } from '../../base/time/clock';

/** Signature algorithms for proofs (RFC 9449 §4.3); all are asymmetric. */
export const dpopAlgorithms = ['ES256', 'PS256', 'RS256', 'EdDSA', 'Ed25519'] as const;

/** Seconds: the maximum age of a proof, and the tolerance for a client's clock that is ahead. */
export const proofSeconds = { age: 120, ahead: 30 } as const;
/** How long used proofs are remembered, in seconds; allows for replicas whose clocks differ. */
export const proofMemorySeconds = proofSeconds.age + 2 * proofSeconds.ahead;

const maxProofLength = 8192;
const maxNameLength = 255;

/** The request that the proof must match. */
export interface ProvenRequest {
  /** The `DPoP` header. */
  readonly proof: string | undefined;
  readonly method: string;
  /** The public URL of the request, without query. */
  readonly address: string;
  /** The access token of the request; absent at the token endpoint. */
  readonly accessToken?: string;
  readonly now: Date;
}

/** A valid proof; whether it was used before is not checked yet. */
export interface Proven {
  readonly kind: 'proven';
  /** Thumbprint of the key (RFC 7638), in base64url. */
  readonly jkt: string;
  /** Identifies the proof for replay detection. */
  readonly digest: string;
}

export type ProofVerdict = Proven | { readonly kind: 'refused'; readonly because: string };

const refused = (because: string): ProofVerdict => ({ kind: 'refused', because });

/** The checks of RFC 9449 §4.3 except the last two: replay, and the binding of the token to the key. */
export async function checkProof(request: ProvenRequest): Promise<ProofVerdict> {
  const { proof } = request;
  if (proof === undefined || proof === '') return refused('The DPoP header is missing');
  if (proof.length > maxProofLength) return refused('The DPoP proof is longer than 8 KB');
  try {
    return await judge(proof, request);
  } catch (error) {
    // jose throws TypeErrors for keys that are too short or do not fit the algorithm, and lets DOMExceptions of the
    // runtime through.
    const isKnown = error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException;
    if (isKnown) return refused('The DPoP proof is not a JWT that is signed with the public key in its header');
    throw error;
  }
}

async function judge(proof: string, request: ProvenRequest): Promise<ProofVerdict> {
  const { payload, protectedHeader }: JWTVerifyResult = await jwtVerify(proof, EmbeddedJWK, {
    typ: 'dpop+jwt',
    algorithms: [...dpopAlgorithms],
    currentDate: request.now,
    clockTolerance: proofSeconds.ahead,
  });
  const because = whyNot(payload, request);
  if (because !== undefined) return refused(because);
  const { jwk } = protectedHeader;
  if (!jwk) return refused('The DPoP proof has no key');
  const jkt = await calculateJwkThumbprint(jwk, 'sha256');
  return { kind: 'proven', jkt, digest: digestOf(`dpop proof ${JSON.stringify([jkt, payload.jti])}`) };
}

function whyNot({ htm, htu, ath, jti, iat }: JWTPayload, request: ProvenRequest): string | undefined {
  const { method, address, accessToken, now } = request;
  if (htm !== method) return 'htm of the DPoP proof is not the method of the request';
  if (!isSameAddress(htu, address)) return 'htu of the DPoP proof is not the address of the request';
  if (typeof jti !== 'string' || jti === '') return 'The DPoP proof has no jti';
  if (jti.length > maxNameLength) return 'jti of the DPoP proof is too long';
  if (accessToken !== undefined && ath !== hashOf(accessToken)) {
    return 'ath of the DPoP proof is not the hash of the access token';
  }
  return whyNoTime(iat, epochSeconds(now));
}

function whyNoTime(iat: unknown, at: number): string | undefined {
  if (typeof iat !== 'number' || !Number.isFinite(iat)) return 'The DPoP proof has no iat';
  if (iat < at - proofSeconds.age) return 'The DPoP proof is too old';
  return iat > at + proofSeconds.ahead ? 'The DPoP proof was made in the future' : undefined;
}

/** A 401 with the reason why a token or its proof was refused (RFC 9449 §7.1). */
export function dpopRefused(error: 'invalid_token' | 'invalid_dpop_proof', because: string): AppError {
  const challenge = `DPoP error="${error}", error_description="${because}", algs="${dpopAlgorithms.join(' ')}"`;
  return new AppError('unauthorized', 'Unauthorized', { headers: { 'WWW-Authenticate': challenge } });
}

/**
 * A bound token needs a proof by its key; an unbound one must come without a proof. `jkt` is the thumbprint that the
 * token is bound to.
 */
export function checkBinding(jkt: string | undefined, proven: Pick<Proven, 'jkt'> | undefined): void {
  if (jkt === proven?.jkt) return;
  if (!proven)
    throw dpopRefused('invalid_token', 'The access token is bound to a key and counts with a DPoP proof alone');
  const because =
    jkt === undefined ? 'The access token is bound to no key' : 'The access token is bound to another key';
  throw dpopRefused('invalid_token', because);
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

const isSameAddress = (one: unknown, other: string): boolean => {
  const named = withoutQuery(one);
  return named !== undefined && named === withoutQuery(other);
};

/** The normalised URL without query (RFC 3986 §6.2.2, §6.2.3); undefined for an invalid one. */
function withoutQuery(text: unknown): string | undefined {
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined;
  const { origin, pathname, username, password } = new URL(text);
  return username === '' && password === '' ? `${origin}${pathname}` : undefined;
}
