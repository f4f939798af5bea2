import { flatScope } from '../clients/scope-sets';
import type { AuthenticateClient, ClientRequest } from './client-authentication';
import { checkGrantEnabled } from './client-authentication';
import type { Grant } from './grant';
import { presentTokens } from './grant';
import { OAuthError } from './oauth-error';
import { checkGrantType, checkParameters } from './parameters';
import type { ProveKey } from './prove-key';

interface Dependencies {
  readonly grants: readonly Grant[];
  readonly authenticateClient: AuthenticateClient;
  readonly proveKey: ProveKey;
}

export interface TokenService {
  readonly grantTypes: string[];
  /** Answers a token request; every refusal is an `OAuthError`. */
  answer(request: ClientRequest): Promise<{
    readonly scope?: string;
    readonly token_type: string;
    readonly expires_in: number;
    readonly issued_token_type?: string;
    readonly refresh_token?: string;
    readonly access_token: string;
  }>;
}

export function createTokenService({ grants, authenticateClient, proveKey }: Dependencies): TokenService {
  const byType = new Map(grants.map((grant) => [grant.type as string, grant]));

  async function redeem(grant: Grant, request: ClientRequest) {
    const parameters = checkParameters(request.body);
    grant.checkRequest?.(parameters);
    const client = await authenticateClient(request, parameters, grant.look?.(parameters));
    checkGrantEnabled(client, grant.type);
    const { proof, address } = request;
    const key = proof === undefined ? undefined : await proveKey({ proof, method: 'POST', address });
    const issued = await grant.redeem(client, parameters, key);
    // RFC 6749 §5.1: the answer to a request with a scope includes the token's scope.
    const isAsked = parameters.has('scope') || issued.scopeAsked === true;
    return presentTokens(issued, isAsked ? flatScope(issued.scopes ?? client.application.scopes) : undefined);
  }

  return {
    grantTypes: [...byType.keys()],
    async answer(request: ClientRequest) {
      const grant = checkGrantType(request.body, byType);
      try {
        return await redeem(grant, request);
      } catch (error) {
        throw error instanceof OAuthError && grant.rephrase ? grant.rephrase(error) : error;
      }
    },
  };
}
