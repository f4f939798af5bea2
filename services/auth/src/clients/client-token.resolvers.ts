import { notFound } from '@itsm/shared/base/errors/app-error';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { parseNodeId, parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import type { MutationArgs, MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import { toPayload } from '@itsm/shared/api/graphql/mutation-payload';
import type { ApplicationToken } from './application';
import { administrator } from './application.resolvers';
import type { ClientTokenService } from './client-token.service';

interface Dependencies {
  readonly clientTokens: ClientTokenService;
  readonly nodeIdDomain: string;
}

interface TokenInput extends MutationInput {
  readonly id: string;
}

/** Mutations and the type of client tokens. All of them need the permission to update the application. */
export function createClientTokenResolvers({ clientTokens, nodeIdDomain }: Dependencies) {
  /** The id of a token is its client id. */
  function clientIdOf(id: string): string {
    const ref = parseNodeId(nodeIdDomain, id);
    if (ref?.type !== 'OAuthApplicationToken') throw notFound();
    return ref.id;
  }

  return {
    Mutation: {
      oauthApplicationTokenCreate: allowed<MutationArgs<MutationInput & { readonly applicationId: string }>>(
        'oauth-application:Update',
        (_parent, { input }, { caller }) =>
          toPayload(input, async () => {
            const id = parseRecordId(nodeIdDomain, 'OAuthApplication', input.applicationId);
            if (id === undefined) throw notFound();
            const { token, clientSecret } = await clientTokens.create(caller.accountId, caller.scopes, id);
            return { oauthApplicationToken: token, clientSecret };
          }),
        administrator,
      ),
      oauthApplicationTokenUpdate: allowed<MutationArgs<TokenInput & { readonly disabled: boolean }>>(
        'oauth-application:Update',
        (_parent, { input }, { caller: { accountId, scopes } }) =>
          toPayload(input, async () => {
            const clientId = clientIdOf(input.id);
            const { application } = await clientTokens.findByClientId(accountId, clientId);
            if (input.disabled) await clientTokens.disable(accountId, application.id, clientId);
            else await clientTokens.enable(accountId, scopes, application.id, clientId);
            const changed = await clientTokens.findByClientId(accountId, clientId);
            return { oauthApplicationToken: changed.token };
          }),
        administrator,
      ),
      oauthApplicationTokenDelete: allowed<MutationArgs<TokenInput>>(
        'oauth-application:Update',
        (_parent, { input }, { caller: { accountId } }) =>
          toPayload(input, async () => ({
            oauthApplication: await clientTokens.delete(accountId, clientIdOf(input.id)),
          })),
        administrator,
      ),
    },
    OAuthApplicationToken: {
      id: ({ clientId }: ApplicationToken) => toNodeId(nodeIdDomain, 'OAuthApplicationToken', clientId),
      disabled: ({ disabledAt }: ApplicationToken) => disabledAt !== null,
    },
  };
}
