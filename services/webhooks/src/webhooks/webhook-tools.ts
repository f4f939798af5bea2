import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { toConditions, toOrder } from '@itsm/shared/api/graphql/list-arguments';
import type { ListArguments } from '@itsm/shared/api/graphql/list-arguments';
import { nodeResolvers, orNull } from '@itsm/shared/api/graphql/node-resolvers';
import { allowed, allowedReference } from '@itsm/shared/api/graphql/resolver';
import type { Resolver } from '@itsm/shared/api/graphql/resolver';
import { loadSortedConnection } from '@itsm/shared/api/graphql/sorted-connection';
import { readsPeople } from '@itsm/shared/api/identity/allow';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import type { Condition } from '@itsm/shared/api/rest/filter';
import type { Action } from '@itsm/shared/contracts/scopes';
import type { Addresses } from './addresses';
import { auditNodeId, auditNodes, parseAuditNodeId } from './audit-line';
import type { AuditLine, AuditNode, AuditNodeType } from './audit-line';
import { restNames } from './webhook.resource';
import { callingPerson } from './webhook.http';

const administrator = 'account_administrator';

interface Dependencies {
  readonly addresses: Addresses;
  readonly nodeIdDomain: string;
}

/** Helpers shared by all resolvers of webhooks. */
export function webhookTools({ addresses, nodeIdDomain }: Dependencies) {
  const read = readingBy('webhook:Read');
  const personOf = (caller: Caller) => callingPerson(caller, addresses);

  return { ...nodeResolvers({ type: 'Webhook', nodeIdDomain, restNames }), read, personOf };
}

type ResolveReference = (reference: { readonly id: string }, context: SubgraphContext) => Promise<unknown>;

/** Guards for fields and references. A mutation returns the record, but its nested fields need the permission to read. */
interface Reading {
  field<Parent, Args>(resolve: Resolver<Parent, Args>): Resolver<Parent, Args>;
  reference(resolve: ResolveReference): ResolveReference;
}

export const readingBy = (action: Action): Reading => ({
  field: (resolve) => allowed(action, resolve, administrator),
  reference: (resolve) => allowedReference(action, resolve, administrator),
});

interface RootType<T> {
  readonly listing: (accountId: string) => CollectionSource<T>;
  readonly load: (id: string, caller: Caller) => Promise<T | null>;
  readonly conditionsOf?: (args: ListArguments) => readonly Condition[];
}

/** Root fields of webhooks and policies: `list` for the account's connection, `one` by id. */
export const rootFields = <T extends { readonly id: number }>(
  action: Action,
  { listing, load, conditionsOf = toConditions }: RootType<T>,
) => ({
  list: allowed<ConnectionArgs & ListArguments>(
    action,
    (_parent, args, { caller }) =>
      loadSortedConnection(args, {
        source: listing(caller.accountId),
        order: toOrder(args),
        filter: conditionsOf(args),
        fields: ['*'],
      }),
    administrator,
  ),
  one: allowed<{ readonly id: string }>(action, (_parent, { id }, { caller }) => load(id, caller), administrator),
});

interface Audit extends Dependencies {
  readonly read: Reading;
  /** Oldest first. */
  readonly find: (accountId: string, id: number) => Promise<readonly AuditLine[]>;
}

/** The field `auditLines` of a type, and the type of its lines. */
export const auditFields = (type: AuditNodeType, { read, find, addresses, nodeIdDomain }: Audit) => ({
  auditLines: read.field(async ({ id }: { readonly id: number }, args: ConnectionArgs, { caller }) => {
    const source = createArraySource(auditNodes(id, await find(caller.accountId, id)));
    return loadSortedConnection(args, { source, order: toOrder({}), filter: [], fields: ['*'] });
  }),
  line: {
    __resolveReference: read.reference(async ({ id: text }, { caller: { accountId } }) => {
      const ref = parseAuditNodeId(nodeIdDomain, type, text);
      const lines = ref && (await orNull(() => find(accountId, ref.of)));
      return lines ? auditNodes(ref.of, lines).find(({ id }) => id === ref.id) : null;
    }),
    id: (line: AuditNode) => auditNodeId(type, line, addresses),
    personID: ({ person }: AuditLine) => person && addresses.nodeIdOf('Person', person.id),
    personName: ({ person }: AuditLine, _args: unknown, { caller }: SubgraphContext) =>
      readsPeople(caller) ? (person?.name ?? null) : null,
  },
});
