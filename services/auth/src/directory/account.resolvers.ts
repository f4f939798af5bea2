import type { Trust } from '@itsm/shared/contracts/directory';
import { notFound } from '@itsm/shared/base/errors/app-error';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { toPayload } from '@itsm/shared/api/graphql/mutation-payload';
import type { MutationArgs, MutationInput } from '@itsm/shared/api/graphql/mutation-payload';
import { accountIdIn } from './account';
import type { Account } from './account';
import type { AccountAdministration } from './account-administration.service';
import type { AccountRepository } from './account.repository';
import { listing } from './listing';
import { findVisibleAccount, isMutual, visibleAccounts } from './visible-accounts';

interface Dependencies {
  readonly accounts: AccountRepository;
  readonly accountAdministration: AccountAdministration;
  readonly nodeIdDomain: string;
}

interface UpdateInput extends MutationInput {
  readonly id?: string | null;
  readonly trusts?: readonly { readonly accountID: string; readonly as: Trust['as'] }[] | null;
}

export function createAccountResolvers({ accounts, accountAdministration, nodeIdDomain }: Dependencies) {
  const slugOf = (id: string): string | undefined => accountIdIn(nodeIdDomain, id);

  async function load(accountId: string, id: string | null | undefined): Promise<Account | undefined> {
    const slug = id == null ? accountId : slugOf(id);
    return slug === undefined ? undefined : findVisibleAccount(accounts, accountId, slug);
  }

  async function trustsOf(account: Account, accountId: string) {
    if (account.id !== accountId) return [];
    return Promise.all(
      account.trusts.map(async (trust) => {
        const other = await findVisibleAccount(accounts, accountId, trust.accountId);
        const mutual = isMutual(accountId, trust, other);
        return { accountID: trust.accountId, as: trust.as, mutual, account: other ?? namedOnly(trust.accountId) };
      }),
    );
  }

  return {
    Query: {
      accounts: listing('account:Read', slugOf, async (words, { accountId }) => {
        const own = await accounts.find(accountId);
        if (!own) throw notFound();
        return accounts.source(visibleAccounts(own), words);
      }),
      account: allowed<{ id?: string | null }>('account:Read', (_parent, { id }, { caller }) =>
        load(caller.accountId, id),
      ),
    },
    Mutation: {
      accountUpdate: allowed<MutationArgs<UpdateInput>>(
        'account:Update',
        (_parent, { input }, { caller }) =>
          toPayload(input, async () => {
            const target = input.id == null ? caller.accountId : slugOf(input.id);
            if (target === undefined) throw notFound();
            const trusts = input.trusts?.map(({ accountID, as }) => ({ accountId: accountID, as }));
            const change = { ...input, ...(trusts && { trusts }) };
            return { account: await accountAdministration.update(caller.accountId, target, change) };
          }),
        'account_administrator',
      ),
    },
    Account: {
      __resolveReference: ({ id }: { readonly id: string }, { caller }: SubgraphContext) => load(caller.accountId, id),
      id: ({ id }: Account) => toNodeId(nodeIdDomain, 'Account', id),
      accountID: ({ id }: Account) => id,
      disabled: ({ disabledAt }: Account) => disabledAt !== null,
      // A caller who sees a record sees the name of its account; these need the scope of accounts.
      customUrl: allowed<unknown, Account>('account:Read', ({ customUrl }) => customUrl),
      directoryAccount: allowed<unknown, Account>('account:Read', ({ directoryAccountId }, _args, { caller }) =>
        directoryAccountId === null ? undefined : load(caller.accountId, directoryAccountId),
      ),
      trusts: allowed<unknown, Account>('account:Read', (account, _args, { caller }) =>
        trustsOf(account, caller.accountId),
      ),
    },
  };
}

/**
 * The view of an account that has not agreed to the trust. It shows only the given id, so it does not reveal whether
 * the account exists.
 */
const namedOnly = (id: string): Account => ({
  id,
  name: id,
  customUrl: null,
  directoryAccountId: null,
  trusts: [],
  secondFactorRequired: false,
  disabledAt: null,
  enabledAt: null,
  version: 0,
});
