/** RFC 6749 §5.2 for the token endpoint, §4.1.2.1 for the authorization endpoint. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'access_denied'
  | 'server_error'
  | 'temporarily_unavailable';

/** A refusal in the words of OAuth; `message` is the public `error_description` and names the failed check. */
export class OAuthError extends Error {
  readonly error: OAuthErrorCode;

  constructor(error: OAuthErrorCode, description: string) {
    super(description);
    this.name = 'OAuthError';
    this.error = error;
  }
}

export const invalidRequest = (description: string): OAuthError => new OAuthError('invalid_request', description);
export const invalidGrant = (description: string): OAuthError => new OAuthError('invalid_grant', description);
/** One text for an unknown client, a wrong secret, and a disabled token or application. */
export const invalidClient = (): OAuthError =>
  new OAuthError('invalid_client', 'The client is unknown, its secret is wrong, or it is disabled');
