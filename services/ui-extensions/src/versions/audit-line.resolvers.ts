import type { ConnectionArgs } from '@itsm/shared/api/graphql/connections';
import type { SubgraphContext } from '@itsm/shared/api/graphql/context';
import { numberedIds } from '@itsm/shared/api/graphql/node-resolvers';
import { allowedReference } from '@itsm/shared/api/graphql/resolver';
import { readsPeople } from '@itsm/shared/api/identity/allow';
import { parseRecordId, toNodeId } from '@itsm/shared/base/ids/node-id';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { loadSortedConnection } from '@itsm/shared/api/graphql/sorted-connection';
import type { Addressing } from '../extensions/extension.http';
import type { Extension } from '../extensions/extension';
import type { ExtensionService } from '../extensions/extension.service';
import type { Version } from '../extensions/version';
import type { VersionService } from './version.service';
import type { AuditLine, FieldChange } from '../extensions/audit-line';

interface Dependencies {
  readonly addressing: Addressing;
  readonly extensions: ExtensionService;
  readonly versions: VersionService;
}

/** Resolvers of the audit of extensions and versions, and of the types of its lines. */
export function createAuditLineResolvers({ addressing: { nodeIdDomain }, extensions, versions }: Dependencies) {
  return {
    UiExtension: {
      // Read again: the parent may be the result of a mutation and outdated by now.
      async auditLines({ id }: Extension, args: ConnectionArgs, { caller }: SubgraphContext) {
        const extension = await extensions.find(caller.accountId, id);
        return load(args, versions.listAuditLines(caller.accountId, extension));
      },
    },
    UiExtensionVersion: {
      async auditLines(version: Version, args: ConnectionArgs, { caller }: SubgraphContext) {
        const extension = await extensions.find(caller.accountId, version.extensionId);
        return load(args, versions.listAuditLines(caller.accountId, extension, version));
      },
    },
    UiExtensionAuditLine: {
      __resolveReference: allowedReference('ui-extension:Read', async ({ id: text }, { caller }) => {
        const id = parseRecordId(nodeIdDomain, 'UiExtensionAuditLine', text);
        return id === undefined ? null : ((await versions.findAuditLine(caller.accountId, id)) ?? null);
      }),
      ...numberedIds(nodeIdDomain, 'UiExtensionAuditLine'),
      versionID: ({ version }: AuditLine) => version && toNodeId(nodeIdDomain, 'UiExtensionVersion', version.id),
      versionNr: ({ version }: AuditLine) => version?.versionNr ?? null,
      personID: ({ author }: AuditLine) => author && toNodeId(nodeIdDomain, 'Person', author.id),
      personName: ({ author }: AuditLine, _args: unknown, { caller }: SubgraphContext) =>
        readsPeople(caller) ? (author?.name ?? null) : null,
    },
    UiExtensionAuditChange: {
      from: ({ from }: FieldChange) => toText(from),
      to: ({ to }: FieldChange) => toText(to),
    },
  };
}

const byId = [{ field: 'id', property: 'id', descending: false }];

const load = (args: ConnectionArgs, source: CollectionSource<AuditLine>) =>
  loadSortedConnection(args, { source, order: byId, filter: [], fields: ['*'] });

const toText = (value: FieldChange['from']): string | null => (value == null ? null : String(value));
