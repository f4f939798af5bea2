/**
 * Error codes: RFC 6749 §5.2 and RFC 9449 §5 for the token endpoint; RFC 6749 §4.1.2.1 and OpenID Connect Core 1.0
 * §3.1.2.6 for the authorization endpoint.
 */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_dpop_proof'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'interaction_required'
  | 'server_error'
  | 'temporarily_unavailable';

/** The characters of `error_description` (RFC 6749 §5.2). Names of members, which a client chose, may have others. */
const printable = (text: string): string => text.replaceAll('"', "'").replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/gu, '?');

/** An OAuth error; `message` is the public `error_description` and names the failed check. */
export class OAuthError extends Error {
  readonly error: OAuthErrorCode;

  constructor(error: OAuthErrorCode, description: string) {
    super(printable(description));
    this.name = 'OAuthError';
    this.error = error;
  }
}

export const invalidRequest = (description: string): OAuthError => new OAuthError('invalid_request', description);
export const invalidGrant = (description: string): OAuthError => new OAuthError('invalid_grant', description);
/** One text for an unknown client, a wrong secret, and a disabled token or application. */
export const invalidClient = (): OAuthError =>
  new OAuthError('invalid_client', 'The client is unknown, its secret is wrong, or it is disabled');
/** The error for any invalid assertion; only the security log names the check that failed. */
export const invalidAssertion = (): OAuthError =>
  new OAuthError('invalid_client', 'The client is unknown, its assertion does not count, or it is disabled');
