import { actionSchema } from '@itsm/shared/contracts/scopes';
import { narrowScopes } from '../clients/scope-sets';
import type { Application } from '../clients/application';
import { invalidRequest } from '../oauth/oauth-error';

/** The parameters of a valid authorization request (spec: OAuth: authorization request). */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  /** Returned unchanged; null when it was not sent. */
  readonly state: string | null;
  /** The S256 code challenge (RFC 7636). */
  readonly challenge: string | null;
  /** As it was sent (RFC 6749 §3.3); null when it was not, absent in what an earlier release kept. */
  readonly scope?: string | null;
}

/** The query as it came: a repeated parameter is a list. */
export type Query = Readonly<Record<string, unknown>>;

/** The parameter when it was sent exactly once. */
export function single(query: Query, name: string): string | undefined {
  const value = Object.hasOwn(query, name) ? query[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

export const isSent = (query: Query, name: string): boolean => Object.hasOwn(query, name);

/** The query that makes this request again. */
export const toQuery = ({ clientId, redirectUri, state, challenge, scope }: AuthorizationRequest): Query => ({
  client_id: clientId,
  response_type: 'code',
  redirect_uri: redirectUri,
  ...(state !== null && { state }),
  ...(scope != null && { scope }),
  ...(challenge !== null && { code_challenge: challenge, code_challenge_method: 'S256' }),
});

/**
 * The actions that a request asks for, as far as the application may do them (RFC 6749 §3.3); null for all that it may.
 * Words that are no actions of ours, such as `openid`, ask for nothing.
 */
export function requestedActions(
  { scope }: Pick<AuthorizationRequest, 'scope'>,
  { scopes }: Pick<Application, 'scopes'>,
): readonly string[] | null {
  const asked = (scope ?? '').split(' ').filter((word) => actionSchema.safeParse(word).success);
  if (asked.length === 0) return null;
  const granted = narrowScopes(scopes, asked).filter(({ effect }) => effect === 'allow');
  if (granted.length === 0) throw invalidRequest('scope names nothing that the application may do');
  return [...new Set(granted.flatMap(({ actions }) => actions))].sort();
}
