import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { checkParameters, parseQueryParameters } from '@itsm/shared/api/rest/query-parameters';
import { sendRecord } from '@itsm/shared/api/rest/send';
import { notFound } from '@itsm/shared/base/errors/app-error';
import { Router } from 'express';
import { toNodeId } from '@itsm/shared/base/ids/node-id';
import { declaredResource } from '@itsm/shared/declared/declared.resource';
import type { Edits } from '@itsm/shared/declared/edits';
import { declaredRoutes } from '@itsm/shared/declared/declared.routes';
import { viewOf } from '@itsm/shared/declared/listing.routes';
import { accountType, mayKnowFactors } from './account';
import type { Account } from './account';
import type { AccountRepository } from './account.repository';
import { conditionsFor, isMutual } from './visible-accounts';

interface AccountView {
  readonly nodeIdOf: (graphqlName: string, id: string) => string;
  readonly caller: Pick<Caller, 'accountId' | 'roles'>;
  /** The accounts that the shown accounts refer to, by id, as far as they are visible to the viewing account. */
  readonly seen: ReadonlyMap<string, Account>;
}

/** With the virtual member that filters use. */
type ListedAccount = Account & { readonly disabled?: boolean };

const nameOf = (account: Account | undefined) => (account ? { id: account.id, name: account.name } : null);

/** The REST form of an account. */
export const accountResource = declaredResource<typeof accountType, ListedAccount, AccountView>(
  accountType,
  { directoryAccount: ({ directoryAccountId }, { seen }) => nameOf(seen.get(directoryAccountId ?? '')) },
  {
    trusts: ({ id, trusts }, { caller: { accountId }, seen }) =>
      id === accountId
        ? trusts.map((trust) => ({ ...trust, mutual: isMutual(accountId, trust, seen.get(trust.accountId)) }))
        : [],
    secondFactorRequired: (account, { caller }) =>
      mayKnowFactors(account, caller) ? account.secondFactorRequired : null,
  },
);

interface Dependencies {
  readonly accounts: AccountRepository;
  readonly edits: Edits<typeof accountType, Account>;
  readonly nodeIdDomain: string;
  readonly baseUrl: string;
}

/** `/v1/accounts` and `/v1/accounts/:id`: the accounts that GraphQL's `accounts` shows, and the change of one. */
export function createAccountRoutes(dependencies: Dependencies): Router {
  const { edits, nodeIdDomain, baseUrl } = dependencies;
  return declaredRoutes(accountType, edits, {
    resource: accountResource,
    createView: viewsFor(dependencies),
    baseUrl,
    nodeIdDomain,
  });
}

/** `GET /`: the account that the call is for, which GraphQL's `account` shows when it is given no id. */
export function createOwnAccountRoutes(dependencies: Dependencies): Router {
  const router = Router();
  router
    .route('/')
    .get(allow('account:Read'), async (req, res) => {
      checkParameters(parseQueryParameters(req.originalUrl), ['fields']);
      const caller = callerOf(req);
      const record = await dependencies.edits.find(caller, caller.accountId);
      if (!record) throw notFound();
      sendRecord(req, res, {
        resource: accountResource,
        view: await viewOf(viewsFor(dependencies))(caller, record),
        record,
      });
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  return router;
}

function viewsFor({ accounts, nodeIdDomain }: Dependencies) {
  const nodeIdOf = (graphqlName: string, id: string): string => toNodeId(nodeIdDomain, graphqlName, id);

  return function createView(caller: Caller) {
    const { accountId } = caller;
    const seen = new Map<string, Account>();
    async function remember(found: readonly Account[]): Promise<void> {
      const named = found.flatMap(({ id, directoryAccountId, trusts }) => [
        ...(directoryAccountId === null ? [] : [directoryAccountId]),
        ...(id === accountId ? trusts.map((trust) => trust.accountId) : []),
      ]);
      const ids = [...new Set(named)];
      if (ids.length === 0) return;
      const wanted = { $and: [await conditionsFor(accounts, accountId), { _id: { $in: ids } }] };
      const slice = { after: undefined, before: undefined, limit: ids.length, from: 'start' } as const;
      for (const account of await accounts.list(wanted, slice)) seen.set(account.id, account);
    }
    return { view: { nodeIdOf, caller, seen }, remember };
  };
}
