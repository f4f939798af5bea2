import { notFound } from '@itsm/shared/base/errors/app-error';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Router } from 'express';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { accountIdIn } from './account';
import type { Account } from './account';
import type { AccountRepository } from './account.repository';
import { withDisabledFilter } from './listing';
import { createListingRoutes } from './listing.routes';
import { findVisibleAccount, isMutual, visibleAccounts } from './visible-accounts';

interface AccountView {
  readonly nodeIdDomain: string;
  /** The viewing account. */
  readonly accountId: string;
  /** The accounts that the shown accounts refer to, by id, as far as they are visible to the viewing account. */
  readonly seen: ReadonlyMap<string, Account>;
}

/** With the virtual member that filters use. */
type ListedAccount = Account & { readonly disabled?: boolean };

const nameOf = (account: Account | undefined) => (account ? { id: account.id, name: account.name } : null);

export const accountResource: Resource<ListedAccount, AccountView> = {
  fields: {
    id: ({ id }) => id,
    nodeID: ({ id }, { nodeIdDomain }) => toNodeId(nodeIdDomain, 'Account', id),
    name: ({ name }) => name,
    custom_url: ({ customUrl }) => customUrl,
    directory_account: ({ directoryAccountId }, { seen }) => nameOf(seen.get(directoryAccountId ?? '')),
    trusts: ({ id, trusts }, { accountId, seen }) =>
      id === accountId
        ? trusts.map((trust) => ({
            account_id: trust.accountId,
            as: trust.as,
            mutual: isMutual(accountId, trust, seen.get(trust.accountId)),
          }))
        : [],
    disabled: ({ disabledAt }) => disabledAt !== null,
  },
  collectionFields: ['id', 'nodeID', 'name', 'custom_url', 'disabled'],
  sortable: { id: 'id', name: 'name' },
  filterable: {
    id: { property: 'id', type: 'string' },
    name: { property: 'name', type: 'string' },
    disabled: { property: 'disabled', type: 'boolean' },
  },
};

interface Dependencies {
  readonly accounts: AccountRepository;
  readonly nodeIdDomain: string;
  readonly baseUrl: string;
}

/** `GET /v1/accounts` and `/v1/accounts/:id`: the accounts that GraphQL's `accounts` shows. */
export function createAccountRoutes({ accounts, nodeIdDomain, baseUrl }: Dependencies): Router {
  async function conditionsIn(accountId: string) {
    const own = await accounts.find(accountId);
    if (!own) throw notFound();
    return visibleAccounts(own);
  }

  function createView({ accountId }: Caller) {
    const seen = new Map<string, Account>();
    async function remember(found: readonly Account[]): Promise<void> {
      const named = found.flatMap(({ id, directoryAccountId, trusts }) => [
        ...(directoryAccountId === null ? [] : [directoryAccountId]),
        ...(id === accountId ? trusts.map((trust) => trust.accountId) : []),
      ]);
      const ids = [...new Set(named)];
      if (ids.length === 0) return;
      const wanted = { $and: [await conditionsIn(accountId), { _id: { $in: ids } }] };
      const slice = { after: undefined, before: undefined, limit: ids.length, from: 'start' } as const;
      for (const account of await accounts.list(wanted, slice)) seen.set(account.id, account);
    }
    return { view: { nodeIdDomain, accountId, seen }, remember };
  }

  return createListingRoutes({
    action: 'account:Read',
    resource: accountResource,
    baseUrl,
    source: async ({ accountId }) => withDisabledFilter(await accounts.source(await conditionsIn(accountId), [])),
    async find({ accountId }, text) {
      const id = accountIdIn(nodeIdDomain, text);
      return id === undefined ? undefined : findVisibleAccount(accounts, accountId, id);
    },
    createView,
  });
}
