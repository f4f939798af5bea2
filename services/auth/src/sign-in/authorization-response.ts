import { withParameters } from '../clients/redirect-uri';
import type { OAuthError } from '../oauth/oauth-error';

interface Destination {
  readonly redirectUri: string;
  readonly state: string | null;
}

/** Builds the redirect URL that answers an authorization request, with `iss` (RFC 9207). */
export interface AuthorizationResponses {
  code(destination: Destination, code: string): string;
  error(destination: Destination, error: OAuthError): string;
}

export const createAuthorizationResponses = (issuer: string): AuthorizationResponses => ({
  code: ({ redirectUri, state }, code) => withParameters(redirectUri, { code, state: state ?? undefined, iss: issuer }),
  error: ({ redirectUri, state }, { error, message }) =>
    withParameters(redirectUri, { error, error_description: message, state: state ?? undefined, iss: issuer }),
});
