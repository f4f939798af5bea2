import type { Scope } from '@itsm/shared/contracts/scopes';
import type { GrantType } from '../clients/grant-types';
import { flatScope } from '../clients/scope-sets';
import type { GrantedTokens } from '../tokens/token';
import { accessTokenMilliseconds } from '../tokens/token';
import type { Look } from '../tokens/client-state.repository';
import type { AuthenticatedClient } from './client-authentication';
import type { OAuthError } from './oauth-error';
import type { Parameters } from './parameters';
import type { ProvenKey } from './prove-key';

/** A grant type. It is called only for an authenticated client that may use it. */
export interface Grant {
  readonly type: GrantType;
  /** Declares the state to read together with the client, in one read. */
  readonly look?: (parameters: Parameters) => Look;
  /** Checks that need no look-up, made before the client is read. */
  readonly checkRequest?: (parameters: Parameters) => void;
  /** Maps refusals, for a grant that may use only some error codes. */
  readonly rephrase?: (refusal: OAuthError) => OAuthError;
  /**
   * Issues tokens. `key`: the proven DPoP key, to which the access token is bound. The grant uses the proof up when
   * everything else is valid, and before it changes anything.
   */
  redeem(client: AuthenticatedClient, parameters: Parameters, key: ProvenKey | undefined): Promise<GrantedTokens>;
}

/** The successful answer, in its JSON form. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly issued_token_type?: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly refresh_token_expires_in?: number;
  readonly scope?: string;
  readonly scopes?: readonly Scope[];
}

/**
 * The successful answer (spec: Token response). It always says what was granted: in `scope`, or, where a list of actions
 * cannot express it, in `scopes`.
 */
export function presentTokens(granted: GrantedTokens): TokenAnswer {
  const { accessToken, refreshToken, issuedTokenType, jkt, scopes, ...lives } = granted;
  const { lifeMilliseconds = accessTokenMilliseconds, refreshMilliseconds } = lives;
  const scope = flatScope(scopes);
  return {
    access_token: accessToken,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(issuedTokenType !== undefined && { issued_token_type: issuedTokenType }),
    token_type: jkt === undefined ? 'bearer' : 'DPoP',
    expires_in: seconds(lifeMilliseconds),
    ...(refreshMilliseconds !== undefined && { refresh_token_expires_in: seconds(refreshMilliseconds) }),
    ...(scope === undefined ? { scopes } : { scope }),
  };
}

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);
