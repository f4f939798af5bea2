import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import type { Call } from './receiver';

/** The claims of a signed call, and the key that signed it. */
export interface Verified {
  readonly kid: string | undefined;
  readonly claims: JWTPayload;
  readonly data: Record<string, unknown> & { readonly payload: Record<string, unknown> };
}

/** Verifies like a receiver that knows only the issuer it trusts. */
export async function verify({ body }: Call, issuer: string): Promise<Verified> {
  const jwt = String(body['jwt']);
  expect(decodeJwt(jwt).iss).toBe(issuer);
  const found = await fetch(`${issuer}/.well-known/openid-configuration`);
  expect(found.headers.get('cache-control')).toBe('public, max-age=3600');
  const document = (await found.json()) as { jwks_uri: string; id_token_signing_alg_values_supported: string[] };
  const algorithms = document.id_token_signing_alg_values_supported;
  const keys = createRemoteJWKSet(new URL(document.jwks_uri));
  const { payload, protectedHeader } = await jwtVerify(jwt, keys, { issuer, algorithms });
  return { kid: protectedHeader.kid, claims: payload, data: payload['data'] as Verified['data'] };
}
