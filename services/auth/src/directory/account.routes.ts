import { notFound } from '@itsm/shared/base/errors/app-error';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Router } from 'express';
import { accountIdIn } from './account';
import type { Account } from './account';
import type { AccountRepository } from './account.repository';
import { accountResource } from './account.resource';
import { withDisabledFilter } from './listing';
import { createListingRoutes } from './listing.routes';
import { findVisibleAccount, visibleAccounts } from './visible-accounts';

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
