import type { Resource } from '@itsm/shared/rest/resource';
import { presentTime } from '@itsm/shared/rest/timestamp';
import type { Addresses } from '../deliveries/addresses';
import type { AuditLine } from './audit-line';

const fields: Resource<AuditLine, Addresses>['fields'] = {
  id: ({ id }) => id,
  action: ({ action }) => action,
  person: ({ person }) => person,
  changes: ({ changes }) => changes,
  created_at: ({ createdAt }) => presentTime(createdAt),
};

/** How the audit of a webhook looks in REST, oldest line first. */
export const auditResource: Resource<AuditLine, Addresses> = {
  fields,
  collectionFields: Object.keys(fields),
  sortable: { id: 'id', created_at: 'createdAt' },
  filterable: { action: { property: 'action', type: 'string' } },
};
