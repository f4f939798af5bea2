import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { toOrder } from '@itsm/shared/api/graphql/list-arguments';
import { orNull } from '@itsm/shared/api/graphql/node-resolvers';
import { allowed, allowedReference } from '@itsm/shared/api/graphql/resolver';
import { loadSortedConnection } from '@itsm/shared/api/graphql/sorted-connection';
import { readsPeople } from '@itsm/shared/api/identity/allow';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import type { Action } from '@itsm/shared/contracts/scopes';
import type { Addresses } from './addresses';
import { auditNodeId, auditNodes, parseAuditNodeId } from './audit-line';
import type { AuditLine, AuditNode, AuditNodeType } from './audit-line';

interface Audited {
  /** Oldest first. */
  readonly find: (accountId: string, id: number) => Promise<readonly AuditLine[]>;
  readonly addresses: Addresses;
  readonly nodeIdDomain: string;
}

/** The field `auditLines` of webhooks or policies, and the type of its lines. */
export const auditFields = (action: Action, type: AuditNodeType, { find, addresses, nodeIdDomain }: Audited) => ({
  auditLines: allowed<ConnectionArgs, { readonly id: number; readonly deletedAt?: Date }>(
    action,
    async ({ id, deletedAt }, args, { caller }) => {
      if (deletedAt) return null;
      const source = createArraySource(auditNodes(id, await find(caller.accountId, id)));
      return loadSortedConnection(args, { source, order: toOrder({}), filter: [], fields: ['*'] });
    },
    'account_administrator',
  ),
  line: {
    __resolveReference: allowedReference(
      action,
      async ({ id: text }, { caller: { accountId } }) => {
        const ref = parseAuditNodeId(nodeIdDomain, type, text);
        const lines = ref && (await orNull(() => find(accountId, ref.of)));
        return lines ? auditNodes(ref.of, lines).find(({ id }) => id === ref.id) : null;
      },
      'account_administrator',
    ),
    id: (line: AuditNode) => auditNodeId(type, line, addresses),
    personID: ({ person }: AuditLine) => person && addresses.nodeIdOf('Person', person.id),
    personName: ({ person }: AuditLine, _args: unknown, { caller }: SubgraphContext) =>
      readsPeople(caller) ? (person?.name ?? null) : null,
  },
});
