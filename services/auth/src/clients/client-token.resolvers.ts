import { notFound } from '@itsm/shared/base/errors/app-error';
import { parseNodeId, toNodeId } from '@itsm/shared/base/ids/node-id';
import type { MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import type { Clock } from '@itsm/shared/base/time/clock';
import { freshly } from '../security/freshness';
import { nodeResolvers } from '@itsm/shared/api/graphql/node-resolvers';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import type { ApplicationToken } from './application';
import type { ClientTokenService } from './client-token.service';

interface Dependencies {
  readonly clientTokens: ClientTokenService;
  readonly nodeIdDomain: string;
  readonly now: Clock;
}

/** Mutations and the type of client tokens. All of them need the permission to update the application. */
export function createClientTokenResolvers({ clientTokens, nodeIdDomain, now }: Dependencies) {
  const whileFresh = freshly(now);
  const { idOf, mutation } = nodeResolvers({ type: 'OAuthApplication', nodeIdDomain, restNames: {} });

  /** The id of a token is its client id. */
  function clientIdOf(id: string): string {
    const ref = parseNodeId(nodeIdDomain, id);
    if (ref?.type !== 'OAuthApplicationToken') throw notFound();
    return ref.id;
  }

  return {
    Mutation: {
      oauthApplicationTokenCreate: mutation<
        MutationInput & { readonly applicationId: string; readonly name?: string | null }
      >(
        'oauth-application:Update',
        whileFresh(async ({ applicationId, name }, { accountId, scopes }) => {
          const { token, clientSecret } = await clientTokens.create(accountId, scopes, idOf(applicationId), name);
          return { oauthApplicationToken: token, clientSecret };
        }),
      ),
      oauthApplicationTokenUpdate: mutation<IdInput & { readonly disabled: boolean }>(
        'oauth-application:Update',
        async ({ id, disabled }, { accountId, scopes }) => {
          const clientId = clientIdOf(id);
          const { application } = await clientTokens.findByClientId(accountId, clientId);
          if (disabled) await clientTokens.disable(accountId, application.id, clientId);
          else await clientTokens.enable(accountId, scopes, application.id, clientId);
          const changed = await clientTokens.findByClientId(accountId, clientId);
          return { oauthApplicationToken: changed.token };
        },
      ),
      oauthApplicationTokenDelete: mutation<IdInput>('oauth-application:Update', async ({ id }, { accountId }) => ({
        oauthApplication: await clientTokens.delete(accountId, clientIdOf(id)),
      })),
    },
    OAuthApplicationToken: {
      id: ({ clientId }: ApplicationToken) => toNodeId(nodeIdDomain, 'OAuthApplicationToken', clientId),
      disabled: ({ disabledAt }: ApplicationToken) => disabledAt !== null,
    },
  };
}
