import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Resource } from '@itsm/shared/api/rest/resource';
import type { Account } from './account';
import { isMutual } from './visible-accounts';

export interface AccountView {
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
