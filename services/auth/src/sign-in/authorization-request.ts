/** The parameters of a valid authorization request (spec: OAuth: authorization request). */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  /** The `state` parameter, returned unchanged; null when it was not sent. */
  readonly state: string | null;
  /** The S256 code challenge (RFC 7636). */
  readonly challenge: string | null;
  /** The `scope` parameter as sent (RFC 6749 §3.3); null when not sent. */
  readonly scope: string | null;
  /** Thumbprint of the key whose DPoP proof must come with the code (RFC 9449 §10); absent when the request named none. */
  readonly jkt?: string;
  /** The `prompt` values of the request (OpenID Connect Core 1.0 §3.1.2.1). */
  readonly prompt?: readonly string[];
  /** The e-mail address of the expected person (`login_hint`). */
  readonly loginHint?: string | null;
  /** The greatest age of the sign-in in seconds (`max_age`); absent when any sign-in is accepted. */
  readonly maxAge?: number;
  /** Prefills the account on the sign-in page; has no other effect. */
  readonly account?: string | null;
  /** Only sign-ins after this time are accepted for this request; absent when any sign-in is. */
  readonly signInAfter?: Date;
}

/** The raw query; a repeated parameter is a list. */
export type Query = Readonly<Record<string, unknown>>;

/** Parameters that are checked after the target, each allowed at most once (RFC 6749 §3.1). */
export const requestParameters = [
  'response_type',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'login_hint',
  'max_age',
  'account',
  'dpop_jkt',
] as const;
export type Parameter = (typeof requestParameters)[number] | 'client_id' | 'redirect_uri';

/** The parameter, if sent exactly once. */
export function single(query: Query, name: Parameter): string | undefined {
  const value = Object.hasOwn(query, name) ? query[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The account in the query of an authorization request or of the sign-in page; undefined when it is no account id. */
export function accountIn(query: Query): string | undefined {
  const account = single(query, 'account')?.trim().toLowerCase() ?? '';
  return /^[a-z0-9-]{1,64}$/.test(account) ? account : undefined;
}

export const isSent = (query: Query, name: Parameter): boolean => Object.hasOwn(query, name);

/** The query that repeats this request. */
export const toQuery = ({
  clientId,
  redirectUri,
  state,
  challenge,
  scope,
  jkt,
  ...asked
}: AuthorizationRequest): Query => ({
  client_id: clientId,
  response_type: 'code',
  redirect_uri: redirectUri,
  ...(state !== null && { state }),
  ...(scope != null && { scope }),
  ...(jkt !== undefined && { dpop_jkt: jkt }),
  ...(asked.prompt && asked.prompt.length > 0 && { prompt: asked.prompt.join(' ') }),
  ...(asked.loginHint != null && { login_hint: asked.loginHint }),
  ...(asked.maxAge != null && { max_age: String(asked.maxAge) }),
  ...(asked.account != null && { account: asked.account }),
  ...(challenge !== null && { code_challenge: challenge, code_challenge_method: 'S256' }),
});
