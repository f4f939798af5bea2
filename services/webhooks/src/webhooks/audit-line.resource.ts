import type { Resource } from '@itsm/shared/api/rest/resource';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import type { Addresses } from './addresses';
import { auditNodeId } from './audit-line';
import type { AuditNode, AuditNodeType } from './audit-line';

/** `type` names the lines as nodes. */
interface AuditView extends Pick<Addresses, 'nodeIdOf'> {
  readonly type: AuditNodeType;
  readonly readsPeople: boolean;
}

const fields: Resource<AuditNode, AuditView>['fields'] = {
  id: ({ id }) => id,
  nodeID: (line, view) => auditNodeId(view.type, line, view),
  action: ({ action }) => action,
  person: ({ person }, { readsPeople }) => (readsPeople ? person : null),
  changes: ({ changes }) => changes,
  created_at: ({ createdAt }) => presentTime(createdAt),
};

/** How the audit of a webhook looks in REST, oldest line first. */
export const auditResource: Resource<AuditNode, AuditView> = {
  fields,
  collectionFields: Object.keys(fields),
  sortable: { id: 'id', created_at: 'createdAt' },
  filterable: { action: { property: 'action', type: 'string' } },
};
