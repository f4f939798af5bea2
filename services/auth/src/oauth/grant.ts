import type { GrantType } from '../clients/application';
import type { IssuedTokens } from '../tokens/token';
import { accessTokenMilliseconds } from '../tokens/token';
import type { Look } from '../tokens/client-state.repository';
import type { AuthenticatedClient } from './client-authentication';
import type { OAuthError } from './oauth-error';
import type { Parameters } from './parameters';

/** One way to get tokens; the client is authenticated and may use it. */
export interface Grant {
  readonly type: GrantType;
  /** What is looked up together with the client. */
  readonly look?: (parameters: Parameters) => Look;
  /** What can be refused before the client is looked up. */
  readonly checkRequest?: (parameters: Parameters) => void;
  /** The refusals of this grant, where the specification allows it only some of the codes. */
  readonly rephrase?: (refusal: OAuthError) => OAuthError;
  /** `jkt`: the thumbprint of the proven key, which the access token is bound to. */
  redeem(client: AuthenticatedClient, parameters: Parameters, jkt: string | undefined): Promise<IssuedTokens>;
}

/** The successful answer (spec: Token response); `scope` when one was asked for, as far as a flat list can say it. */
export const presentTokens = (
  { accessToken, refreshToken, issuedTokenType, jkt, lifeMilliseconds = accessTokenMilliseconds }: IssuedTokens,
  scope?: string,
) => ({
  access_token: accessToken,
  ...(refreshToken !== undefined && { refresh_token: refreshToken }),
  ...(issuedTokenType !== undefined && { issued_token_type: issuedTokenType }),
  token_type: jkt === undefined ? 'bearer' : 'DPoP',
  expires_in: Math.floor(lifeMilliseconds / 1000),
  ...(scope !== undefined && { scope }),
});
