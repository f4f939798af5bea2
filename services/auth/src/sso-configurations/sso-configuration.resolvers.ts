import { notFound } from '@itsm/shared/errors/app-error';
import type { ConnectionArgs, Slice } from '@itsm/shared/graphql/connections';
import { loadConnection } from '@itsm/shared/graphql/connections';
import type { SubgraphContext } from '@itsm/shared/graphql/context';
import { allowed } from '@itsm/shared/graphql/resolver';
import { checkAllowed } from '@itsm/shared/identity/allow';
import { parseRecordId, toNodeId } from '@itsm/shared/ids/node-id';
import type { AccountRepository } from '../accounts/account.repository';
import type { MutationArgs, MutationInput } from '@itsm/shared/graphql/mutation-payload';
import { toPayload } from '@itsm/shared/graphql/mutation-payload';
import type { SsoConfiguration } from './sso-configuration';
import type { SsoConfigurationChanges, SsoConfigurationInput } from './sso-configuration-input';
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
      ssoConfigurations: allowed<ConnectionArgs>(
        'sso-configuration:Read',
        async (_parent, page, { caller }) => {
          const all = await ssoConfigurations.listLinkable(caller.accountId);
          const read = (slice: Slice) => Promise.resolve(sliceOf(all, slice));
          return loadConnection(page, { read, count: () => Promise.resolve(all.length) });
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

/** An account has a handful of configurations: they are read together and cut here. */
function sliceOf(all: readonly SsoConfiguration[], { after = 0, before = Infinity, limit, from }: Slice) {
  const inside = all.filter(({ id }) => id > after && id < before).sort((one, other) => one.id - other.id);
  return from === 'start' ? inside.slice(0, limit) : inside.slice(-limit);
}
