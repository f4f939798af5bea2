import type { MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import type { Clock } from '@itsm/shared/base/time/clock';
import { freshly } from '../security/freshness';
import { nodeResolvers, numberedIds } from '@itsm/shared/api/graphql/node-resolvers';
import type { IdInput } from '@itsm/shared/api/graphql/node-resolvers';
import { allowedReference } from '@itsm/shared/api/graphql/resolver';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import type { AccountRepository } from '../directory/account.repository';
import { hasWords, listing } from '../directory/listing';
import { redirectUriOf } from './sso-configuration';
import type { SsoConfiguration } from './sso-configuration';
import type { SsoConfigurationChanges, SsoConfigurationInput } from './sso-configuration.input';
import type { SsoConfigurationService } from './sso-configuration.service';

interface Dependencies {
  readonly ssoConfigurations: SsoConfigurationService;
  readonly accounts: AccountRepository;
  readonly nodeIdDomain: string;
  readonly baseUrl: string;
  readonly now: Clock;
}

const type = 'SsoConfiguration';
const administrator = 'account_administrator';

/** Root fields and the type of SSO configurations. */
export function createSsoConfigurationResolvers(dependencies: Dependencies) {
  const { ssoConfigurations, accounts, nodeIdDomain, baseUrl, now } = dependencies;
  const whileFresh = freshly(now);
  const { parseId, idOf, load, mutation } = nodeResolvers({ type, nodeIdDomain, restNames: {} });

  return {
    Query: {
      ssoConfigurations: listing(
        'sso-configuration:Read',
        parseId,
        // An account has only a few, so all are read and paged in memory.
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
        whileFresh(async (input, { accountId }) => ({
          ssoConfiguration: await ssoConfigurations.create(accountId, input),
        })),
      ),
      ssoConfigurationUpdate: mutation<SsoConfigurationChanges & IdInput>(
        'sso-configuration:Update',
        whileFresh(async ({ id, ...changes }, { accountId }) => ({
          ssoConfiguration: await ssoConfigurations.update(accountId, idOf(id), changes),
        })),
      ),
    },
    SsoConfiguration: {
      __resolveReference: allowedReference(
        'sso-configuration:Read',
        ({ id }, { caller }) =>
          load(id, (configurationId) => ssoConfigurations.findLinkable(caller.accountId, configurationId)),
        administrator,
      ),
      ...numberedIds(nodeIdDomain, type),
      hasClientSecret: ({ sealedClientSecret }: SsoConfiguration) => sealedClientSecret !== null,
      redirectUri: ({ id }: SsoConfiguration) => redirectUriOf(baseUrl, id),
      disabled: ({ disabledAt }: SsoConfiguration) => disabledAt !== null,
      account: ({ accountId }: SsoConfiguration) => accounts.find(accountId),
    },
  };
}
