import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { allowed } from '@itsm/shared/api/graphql/resolver';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { declaredMutations, fieldResolvers } from '@itsm/shared/declared/declared.resolvers';
import type { Edits } from '@itsm/shared/declared/edits';
import { accountIdIn, accountNamed, accountType, mayKnowFactors } from './account';
import type { Account } from './account';
import type { AccountRepository } from './account.repository';
import { listing } from './listing';
import { findVisibleAccount, isMutual } from './visible-accounts';

interface Dependencies {
  readonly accounts: AccountRepository;
  readonly edits: Edits<typeof accountType, Account>;
  readonly nodeIdDomain: string;
}

export function createAccountResolvers({ accounts, edits, nodeIdDomain }: Dependencies) {
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
        return { accountID: trust.accountId, as: trust.as, mutual, account: other ?? accountNamed(trust.accountId) };
      }),
    );
  }

  return {
    Query: {
      accounts: listing(accountType, edits, slugOf),
      account: allowed<{ id?: string | null }>('account:Read', (_parent, { id }, { caller }) =>
        load(caller.accountId, id),
      ),
    },
    Mutation: declaredMutations(accountType, edits, nodeIdDomain),
    Account: {
      __resolveReference: ({ id }: { readonly id: string }, { caller }: SubgraphContext) => load(caller.accountId, id),
      id: ({ id }: Account) => toNodeId(nodeIdDomain, 'Account', id),
      accountID: ({ id }: Account) => id,
      ...fieldResolvers(accountType),
      // A caller who sees a record sees the name of its account; these need the scope of accounts.
      customUrl: allowed<unknown, Account>('account:Read', ({ customUrl }) => customUrl),
      directoryAccount: allowed<unknown, Account>('account:Read', ({ directoryAccountId }, _args, { caller }) =>
        directoryAccountId === null ? undefined : load(caller.accountId, directoryAccountId),
      ),
      trusts: allowed<unknown, Account>('account:Read', (account, _args, { caller }) =>
        trustsOf(account, caller.accountId),
      ),
      version: allowed<unknown, Account>('account:Read', ({ version }) => version),
      secondFactorRequired: allowed<unknown, Account>('account:Read', (account, _args, { caller }) =>
        mayKnowFactors(account, caller) ? account.secondFactorRequired : null,
      ),
    },
  };
}
