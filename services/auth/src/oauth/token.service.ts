import type { AuthenticateClient, ClientRequest } from './client-authentication';
import { checkGrantEnabled } from './client-authentication';
import type { Grant, TokenAnswer } from './grant';
import { presentTokens } from './grant';
import { OAuthError } from './oauth-error';
import { checkGrantType, checkParameters } from './parameters';
import type { ProveKey } from './prove-key';
import { namedActions } from './requested-scope';

interface Dependencies {
  readonly grants: readonly Grant[];
  readonly authenticateClient: AuthenticateClient;
  readonly proveKey: ProveKey;
}

export interface TokenService {
  readonly grantTypes: string[];
  /** Answers a token request; every refusal is an `OAuthError`. */
  answer(request: ClientRequest): Promise<TokenAnswer>;
}

export function createTokenService({ grants, authenticateClient, proveKey }: Dependencies): TokenService {
  const byType = new Map(grants.map((grant) => [grant.type as string, grant]));

  async function redeem(grant: Grant, request: ClientRequest) {
    const parameters = checkParameters(request.body);
    namedActions(parameters.get('scope'));
    grant.checkRequest?.(parameters);
    const client = await authenticateClient(request, parameters, grant.look?.(parameters));
    checkGrantEnabled(client, grant.type);
    const { proof, address } = request;
    const key = proof === undefined ? undefined : await proveKey({ proof, method: 'POST', address });
    return presentTokens(await grant.redeem(client, parameters, key));
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
