import type { Request, Router } from 'express';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { readsPeople } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { sendCollection } from '@itsm/shared/api/rest/send';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import type { Action } from '@itsm/shared/contracts/scopes';
import type { Addresses } from './addresses';
import { auditNodeId, auditNodes } from './audit-line';
import type { AuditLine, AuditNode, AuditNodeType } from './audit-line';
import { accountOf, administrators } from './webhook.http';

interface Audited {
  readonly type: AuditNodeType;
  /** Oldest first. */
  readonly find: (accountId: string, id: number) => Promise<readonly AuditLine[]>;
  readonly idOf: (req: Request<{ id: string }>) => number;
  readonly addresses: Addresses;
  readonly baseUrl: string;
}

/** `/:id/audit` of webhooks and policies. */
export const addAuditRoute = (
  router: Router,
  action: Action,
  { type, find, idOf, addresses, baseUrl }: Audited,
): Router => {
  router
    .route('/:id/audit')
    .get(administrators(action), async (req, res) => {
      const id = idOf(req);
      const source = createArraySource(auditNodes(id, await find(accountOf(req), id)));
      const view = { type, nodeIdOf: addresses.nodeIdOf, readsPeople: readsPeople(callerOf(req)) };
      await sendCollection(req, res, { resource: auditResource, source, view, baseUrl });
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  return router;
};

/** `type` is the GraphQL type in the node ids of the lines. */
interface AuditView extends Pick<Addresses, 'nodeIdOf'> {
  readonly type: AuditNodeType;
  readonly readsPeople: boolean;
}

const auditFields: Resource<AuditNode, AuditView>['fields'] = {
  id: ({ id }) => id,
  nodeID: (line, view) => auditNodeId(view.type, line, view),
  action: ({ action }) => action,
  person: ({ person }, { readsPeople }) => (readsPeople ? person : null),
  changes: ({ changes }) => changes,
  created_at: ({ createdAt }) => presentTime(createdAt),
};

/** The REST form of an audit, oldest line first. */
export const auditResource: Resource<AuditNode, AuditView> = {
  fields: auditFields,
  collectionFields: Object.keys(auditFields),
  sortable: { id: 'id', created_at: 'createdAt' },
  filterable: { action: { property: 'action', type: 'string' } },
};
