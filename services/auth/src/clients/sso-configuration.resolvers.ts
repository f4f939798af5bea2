import { notFound } from '@itsm/shared/base/errors/app-error';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { checkAllowed } from '@itsm/shared/api/identity/allow';
import { parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import { loadSortedConnection } from '@itsm/shared/api/graphql/sorted-connection';
import { toListing } from '../directory/listing';
import type { ListingArgs } from '../directory/listing';
import { hasWords } from '../directory/words';
import type { AccountRepository } from '../directory/account.repository';
import type { MutationArgs, MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import { toPayload } from '@itsm/shared/api/graphql/mutation-payload';
import type { SsoConfiguration } from './sso-configuration';
import type { SsoConfigurationChanges, SsoConfigurationInput } from './sso-configuration.input';
import type { SsoConfigurationService } from './sso-configuration.service';

interface Dependencies {
  readonly ssoConfigurations: SsoConfigurationService;
  readonly accounts: AccountRepository;
  readonly nodeIdDomain: string;
}

type CreateInput = SsoConfigurationInput & MutationInput;
type UpdateInput = SsoConfigurationChanges & MutationInput & { readonly id: string };

const administrator = 'account_administrator';

/** Root fields and the type of SSO configurations. */
export function createSsoConfigurationResolvers({ ssoConfigurations, accounts, nodeIdDomain }: Dependencies) {
  return {
    Query: {
      ssoConfigurations: allowed<ListingArgs>(
        'sso-configuration:Read',
        async (_parent, args, { caller }) => {
          const idOf = (id: string) => parseRecordId(nodeIdDomain, 'SsoConfiguration', id);
          const { words, ...listing } = toListing(args, idOf);
          // An account has a handful of them: they are read together and cut here.
          const all = await ssoConfigurations.listLinkable(caller.accountId);
          const source = createArraySource(all.filter(({ name, issuer }) => hasWords(words, name, issuer)));
          return loadSortedConnection(args, { source, ...listing, fields: ['*'] });
        },
        administrator,
      ),
    },
    Mutation: {
      ssoConfigurationCreate: allowed<MutationArgs<CreateInput>>(
        'sso-configuration:Create',
        (_parent, { input }, { caller }) =>
          toPayload(input, async (fields) => ({
            ssoConfiguration: await ssoConfigurations.create(caller.accountId, fields),
          })),
        administrator,
      ),
      ssoConfigurationUpdate: allowed<MutationArgs<UpdateInput>>(
        'sso-configuration:Update',
        (_parent, { input }, { caller }) =>
          toPayload(input, async ({ id, ...changes }) => {
            const configurationId = parseRecordId(nodeIdDomain, 'SsoConfiguration', id);
            if (configurationId === undefined) throw notFound();
            return { ssoConfiguration: await ssoConfigurations.update(caller.accountId, configurationId, changes) };
          }),
        administrator,
      ),
    },
    SsoConfiguration: {
      async __resolveReference({ id }: { readonly id: string }, { caller }: SubgraphContext) {
        checkAllowed(caller, 'sso-configuration:Read', [administrator]);
        const configurationId = parseRecordId(nodeIdDomain, 'SsoConfiguration', id);
        if (configurationId === undefined) return undefined;
        return ssoConfigurations.findLinkable(caller.accountId, configurationId);
      },
      id: ({ id }: SsoConfiguration) => toNodeId(nodeIdDomain, 'SsoConfiguration', id),
      disabled: ({ disabledAt }: SsoConfiguration) => disabledAt !== null,
      account: ({ accountId }: SsoConfiguration) => accounts.find(accountId),
    },
  };
}
