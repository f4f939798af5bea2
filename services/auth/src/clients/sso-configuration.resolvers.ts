import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import type { MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import { nodeResolvers } from '@itsm/shared/api/graphql/node-resolvers';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import { checkAllowed } from '@itsm/shared/api/identity/allow';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import { parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import type { AccountRepository } from '../directory/account.repository';
import { hasWords, listing } from '../directory/listing';
import type { SsoConfiguration } from './sso-configuration';
import type { SsoConfigurationChanges, SsoConfigurationInput } from './sso-configuration.input';
import type { SsoConfigurationService } from './sso-configuration.service';

interface Dependencies {
  readonly ssoConfigurations: SsoConfigurationService;
  readonly accounts: AccountRepository;
  readonly nodeIdDomain: string;
}

const type = 'SsoConfiguration';
const administrator = 'account_administrator';

/** Root fields and the type of SSO configurations. */
export function createSsoConfigurationResolvers({ ssoConfigurations, accounts, nodeIdDomain }: Dependencies) {
  const { idOf, load, mutation } = nodeResolvers({ type, nodeIdDomain, restNames: {} });

  return {
    Query: {
      ssoConfigurations: listing(
        'sso-configuration:Read',
        (id) => parseRecordId(nodeIdDomain, type, id),
        // An account has a handful of them: they are read together and cut here.
        async (words, { accountId }) => {
          const all = await ssoConfigurations.listLinkable(accountId);
          return createArraySource(all.filter(({ name, issuer }) => hasWords(words, name, issuer)));
        },
        administrator,
      ),
    },
    Mutation: {
      ssoConfigurationCreate: mutation<SsoConfigurationInput & MutationInput>(
        'sso-configuration:Create',
        async (input, { accountId }) => ({ ssoConfiguration: await ssoConfigurations.create(accountId, input) }),
      ),
      ssoConfigurationUpdate: mutation<SsoConfigurationChanges & IdInput>(
        'sso-configuration:Update',
        async ({ id, ...changes }, { accountId }) => ({
          ssoConfiguration: await ssoConfigurations.update(accountId, idOf(id), changes),
        }),
      ),
    },
    SsoConfiguration: {
      async __resolveReference({ id }: { readonly id: string }, { caller }: SubgraphContext) {
        checkAllowed(caller, 'sso-configuration:Read', [administrator]);
        return load(id, (configurationId) => ssoConfigurations.findLinkable(caller.accountId, configurationId));
      },
      id: ({ id }: SsoConfiguration) => toNodeId(nodeIdDomain, type, id),
      disabled: ({ disabledAt }: SsoConfiguration) => disabledAt !== null,
      account: ({ accountId }: SsoConfiguration) => accounts.find(accountId),
    },
  };
}
