import { toNodeId } from '@itsm/shared/base/ids/node-id';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import type { ExtensionView } from '../extensions/extension.resource';
import type { AuditLine } from '../extensions/audit-line';

/** `changes` has the values of all fields but the texts, which stand in the versions. */
export const auditLineResource: Resource<AuditLine, ExtensionView> = {
  fields: {
    id: ({ id }) => id,
    nodeID: ({ id }, { nodeIdDomain }) => toNodeId(nodeIdDomain, 'UiExtensionAuditLine', id),
    action: ({ action }) => action,
    version: ({ version }) => version && { id: version.id, version_nr: version.versionNr },
    changed_fields: ({ changes }) => changes.map(({ field }) => field),
    changes: ({ changes }) => changes,
    created_by: ({ author }) => author && { id: author.id, name: author.name },
    created_at: ({ createdAt }) => presentTime(createdAt),
  },
  collectionFields: ['id', 'nodeID', 'action', 'version', 'changed_fields', 'changes', 'created_by', 'created_at'],
  sortable: { id: 'id', created_at: 'createdAt' },
  filterable: {
    action: { property: 'action', type: 'string' },
    created_at: { property: 'createdAt', type: 'time' },
  },
};
