/** Public error codes with their HTTP status (docs/errors.md has the same table). */
export const statusOf = {
  bad_request: 400,
  unauthorized: 401,
  insufficient_user_authentication: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  misdirected_request: 421,
  validation_failed: 422,
  too_many_requests: 429,
  too_many_calls: 429,
  bad_gateway: 502,
  service_unavailable: 503,
  insufficient_storage: 507,
} as const;

export type ErrorCode = keyof typeof statusOf;

/** A refused field and the reason: `["uri", "Uri is not a valid https address"]`. */
export type FieldError = readonly [field: string, text: string];

/**
 * `errors` are the refused fields of a 422, `headers` are added to the answer, `maxAge` is the maximum age of a sign-in
 * in seconds.
 */
export interface ErrorDetails {
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxAge?: number;
}

/** `Retry-After` of an outage: most elections of a primary take no longer. */
export const retryAfterSeconds = 5;

export const challengeHeader = 'WWW-Authenticate';

/** A refusal with a public message. Anything else that is thrown is an internal error. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.details = code === 'service_unavailable' ? withRetryAfter(details) : details;
  }
}

/** Every 503 says when to call again (RFC 9110 §15.6.4). */
const withRetryAfter = (details: ErrorDetails): ErrorDetails => ({
  ...details,
  headers: { 'Retry-After': String(retryAfterSeconds), ...details.headers },
});

export const notFound = (): AppError => new AppError('not_found', 'Not Found');
export const forbidden = (message = 'Forbidden'): AppError => new AppError('forbidden', message);
/** The token has none of the scopes that suffice: a 403 whose challenge names the first (RFC 6750 §3.1). */
export const insufficientScope = (sufficient: readonly string[]): AppError =>
  new AppError('forbidden', `Missing required scope(s): ${sufficient.join(' or ')}`, {
    headers: { [challengeHeader]: `Bearer error="insufficient_scope", scope="${sufficient.slice(0, 1).join()}"` },
  });
/** The caller or account is at its limit of concurrent calls; it may retry soon. */
export const tooManyCalls = (message: string): AppError =>
  new AppError('too_many_calls', message, { headers: { 'Retry-After': '1' } });
export const unauthorized = (challenge?: string): AppError =>
  new AppError(
    'unauthorized',
    'Unauthorized',
    challenge === undefined ? {} : { headers: { [challengeHeader]: challenge } },
  );
/** A 401 for a token that was sent and is not valid, so that clients get another one (RFC 6750 §3.1). */
export const invalidToken = (because = 'The access token is unknown, expired or revoked'): AppError =>
  unauthorized(`Bearer error="invalid_token", error_description="${because}"`);
/**
 * Step-up authentication: the person has to sign in again, by an authorization request with this `max_age` (RFC 9470
 * §3).
 */
export const insufficientUserAuthentication = (maxAge: number): AppError =>
  new AppError('insufficient_user_authentication', 'The person has to sign in again first', {
    maxAge,
    headers: { [challengeHeader]: `Bearer error="insufficient_user_authentication", max_age="${maxAge}"` },
  });
/**
 * The store has no room for a write: a 507 (RFC 4918 §11.5). It has no `Retry-After`, because a repetition helps only
 * after somebody has made room.
 */
export const insufficientStorage = (): AppError =>
  new AppError(
    'insufficient_storage',
    'The disk of the platform is full: ask its operator to make room, then try again',
  );
export const badRequest = (message: string): AppError => new AppError('bad_request', message);
/** As much as a person reads: a body of 100,000 unknown members got an answer of megabytes. */
const mostRefusals = 100;
/** Characters. Unknown members are named as the caller wrote them. */
const longestName = 500;
/** A 422 that names the refused fields: the first 100, and how many more there are. */
export const validationFailed = (errors: readonly FieldError[]): AppError => {
  const shown = errors.slice(0, mostRefusals).map(([name, text]) => [shortName(name), text] as const);
  const more = errors.length - shown.length;
  return new AppError('validation_failed', 'Validation Failed', {
    errors: more > 0 ? [...shown, ['base', `${more} more are refused`]] : shown,
  });
};
/** The name without the first half of a character that was cut. */
const shortName = (name: string): string =>
  name.length > longestName ? `${name.slice(0, longestName).replace(/[\uD800-\uDBFF]$/, '')}…` : name;
