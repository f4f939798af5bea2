import { nodeResolvers, numberedIds } from '@itsm/shared/api/graphql/node-resolvers';
import { allowedReference } from '@itsm/shared/api/graphql/resolver';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { declaredMutations, fieldResolvers } from '@itsm/shared/declared/declared.resolvers';
import { derivedResolvers } from '@itsm/shared/declared/declared.resource';
import type { Edits } from '@itsm/shared/declared/edits';
import type { AccountRepository } from '../directory/account.repository';
import { listing } from '../directory/listing';
import { ssoConfigurationType } from './sso-configuration';
import type { SsoConfiguration } from './sso-configuration';
import { ssoConfigurationDerivations } from './sso-configuration.resource';
import type { SsoConfigurationService } from './sso-configuration.service';

interface Dependencies {
  readonly ssoConfigurations: SsoConfigurationService;
  readonly edits: Edits<typeof ssoConfigurationType, SsoConfiguration>;
  readonly accounts: AccountRepository;
  readonly nodeIdDomain: string;
  readonly baseUrl: string;
}

const type = 'SsoConfiguration';
const administrator = 'account_administrator';

/** Root fields and the type of SSO configurations. */
export function createSsoConfigurationResolvers(dependencies: Dependencies) {
  const { ssoConfigurations, edits, accounts, nodeIdDomain, baseUrl } = dependencies;
  const { parseId, load } = nodeResolvers({ type, nodeIdDomain, restNames: {} });
  const nodeIdOf = (graphqlName: string, id: number): string => toNodeId(nodeIdDomain, graphqlName, id);
  const view = { nodeIdOf, baseUrl, accounts: new Map<string, string>() };

  return {
    Query: {
      ssoConfigurations: listing(ssoConfigurationType, edits, parseId),
    },
    Mutation: declaredMutations(ssoConfigurationType, edits, nodeIdDomain),
    SsoConfiguration: {
      __resolveReference: allowedReference(
        'sso-configuration:Read',
        ({ id }, { caller }) =>
          load(id, (configurationId) => ssoConfigurations.findLinkable(caller.accountId, configurationId)),
        administrator,
      ),
      ...numberedIds(nodeIdDomain, type),
      ...fieldResolvers(ssoConfigurationType),
      ...derivedResolvers(ssoConfigurationDerivations, view),
      account: ({ accountId }: SsoConfiguration) => accounts.find(accountId),
    },
  };
}
