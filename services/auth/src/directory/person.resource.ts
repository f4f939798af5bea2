import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { namedFilters, sourcedFields, sourcedFilters } from '@itsm/shared/api/rest/record-fields';
import type { Resource } from '@itsm/shared/api/rest/resource';
import type { Account } from './account';
import { mayKnowRoles } from './person-access';
import { supportIdOf } from './person';
import type { Person } from './person';

export interface PersonView {
  readonly nodeIdDomain: string;
  /** The caller; roles are shown for their selected account. */
  readonly caller: Pick<Caller, 'accountId' | 'personId' | 'roles'>;
  /** The accounts of the shown people, by id. */
  readonly accounts: ReadonlyMap<string, Account>;
}

/** With the virtual member that filters use. */
type ListedPerson = Person & { readonly disabled?: boolean };

export const personResource: Resource<ListedPerson, PersonView> = {
  fields: {
    id: ({ id }) => id,
    nodeID: ({ id }, { nodeIdDomain }) => toNodeId(nodeIdDomain, 'Person', id),
    name: ({ name }) => name,
    primary_email: ({ primaryEmail }) => primaryEmail,
    verified: ({ verified }) => verified,
    supportID: supportIdOf,
    account: ({ accountId }, { accounts }) => ({ id: accountId, name: accounts.get(accountId)?.name ?? null }),
    roles: (person, { caller }) => (mayKnowRoles(person, caller) ? (person.roles[caller.accountId] ?? []) : []),
    disabled: ({ disabledAt }) => disabledAt !== null,
    locale: ({ locale }) => locale,
    time_zone: ({ timeZone }) => timeZone,
    ...sourcedFields,
  },
  collectionFields: [
    'id',
    'nodeID',
    'name',
    'primary_email',
    'disabled',
    'source',
    'sourceID',
    'created_at',
    'updated_at',
  ],
  sortable: { id: 'id', name: 'name', primary_email: 'primaryEmail', created_at: 'createdAt', updated_at: 'updatedAt' },
  filterable: {
    ...namedFilters,
    primary_email: { property: 'primaryEmail', type: 'string' },
    ...sourcedFilters,
  },
};
