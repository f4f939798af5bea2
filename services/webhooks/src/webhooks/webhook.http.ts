import express from 'express';
import type { Request, RequestHandler, Router } from 'express';
import { jsonBody } from '@itsm/shared/api/http/json-body';
import type { Precondition } from '@itsm/shared/api/http/if-match';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { allow, readsPeople } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { sendCollection } from '@itsm/shared/api/rest/send';
import { presentTime } from '@itsm/shared/api/rest/timestamp';
import type { Person } from '@itsm/shared/contracts/records';
import type { Action } from '@itsm/shared/contracts/scopes';
import type { Addresses } from './addresses';
import { auditNodeId, auditNodes } from './audit-line';
import type { AuditLine, AuditNode, AuditNodeType } from './audit-line';

type WithId = { id: string };

export const administrators = (action: Action): RequestHandler => allow(action, 'account_administrator');

export const accountOf = (req: Request): string => callerOf(req).accountId;

/** The caller in the form that events and audit lines use. */
export const callingPerson = ({ personId: id, name }: Caller, { nodeIdOf }: Addresses): Person => ({
  id,
  nodeID: nodeIdOf('Person', id),
  name,
});

/** A router whose answers are not cached: addresses may contain secrets, for example in the query, and so may keys. */
export function createPrivateRouter(): Router {
  const router = express.Router();
  return router.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });
}

interface Records<T> {
  readonly idOf: (req: Request<WithId>) => number;
  readonly service: {
    readonly remove: (accountId: string, id: number, check: Precondition<T>) => Promise<unknown>;
    /** Oldest first. */
    readonly audit: (accountId: string, id: number) => Promise<readonly AuditLine[]>;
  };
  readonly auditType: AuditNodeType;
  readonly addresses: Addresses;
  readonly baseUrl: string;
  /** All records; with `disabled`, only those that are or are not disabled. */
  readonly list: (disabled?: boolean) => RequestHandler;
  readonly create: readonly RequestHandler[];
  readonly show: RequestHandler<WithId>;
  /** Of a change or removal, by `If-Match`. */
  readonly preconditionOf: (req: Request<WithId>) => Precondition<T>;
  /** Refuses an invalid `fields` parameter before anything is changed. */
  readonly checkFields: RequestHandler;
  readonly update: RequestHandler<WithId>;
}

/** The routes that webhooks and policies share, for account administrators. */
export function createRecordRouter<T>(model: 'webhook' | 'webhook-policy', records: Records<T>): Router {
  const { idOf, service, auditType: type, addresses, baseUrl, list, create, show, checkFields, update } = records;
  const router = createPrivateRouter();
  router
    .route('/')
    .get(administrators(`${model}:Read`), list())
    .post(administrators(`${model}:Create`), ...create)
    .all(methodNotAllowed('GET', 'HEAD', 'POST'));
  for (const [path, disabled] of [
    ['/enabled', false],
    ['/disabled', true],
  ] as const)
    router
      .route(path)
      .get(administrators(`${model}:Read`), list(disabled))
      .all(methodNotAllowed('GET', 'HEAD'));
  router
    .route('/:id')
    .get(administrators(`${model}:Read`), show)
    .patch(administrators(`${model}:Update`), checkFields, ...jsonBody(), update)
    .put(administrators(`${model}:Update`), checkFields, ...jsonBody(), update)
    .delete(administrators(`${model}:Delete`), async (req, res) => {
      await service.remove(accountOf(req), idOf(req), records.preconditionOf(req));
      res.status(204).end();
    })
    .all(methodNotAllowed('GET', 'HEAD', 'PATCH', 'PUT', 'DELETE'));
  router
    .route('/:id/audit')
    .get(administrators(`${model}:Read`), async (req, res) => {
      const id = idOf(req);
      const source = createArraySource(auditNodes(id, await service.audit(accountOf(req), id)));
      const view = { type, nodeIdOf: addresses.nodeIdOf, readsPeople: readsPeople(callerOf(req)) };
      await sendCollection(req, res, { resource: auditResource, source, view, baseUrl });
    })
    .all(methodNotAllowed('GET', 'HEAD'));
  return router;
}

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
