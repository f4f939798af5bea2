import { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { isVersioned, preconditionOf, tagOfJson, tagOfRecord } from '../api/http/if-match';
import { jsonBody } from '../api/http/json-body';
import type { Limit } from '../api/http/json-body';
import { methodNotAllowed } from '../api/http/method-not-allowed';
import { recordIdIn } from '../api/http/record-id';
import { allow } from '../api/identity/allow';
import { callerOf } from '../api/identity/authenticate';
import type { Caller } from '../api/identity/caller';
import { presentAll } from '../api/rest/resource';
import type { Resource } from '../api/rest/resource';
import { checkFields, fieldsOf, sendRecord } from '../api/rest/send';
import type { Role } from '../contracts/directory';
import { toRest } from './declared.resource';
import { actionOf, repeatable } from './edits';
import type { Edits, Identified, Writes } from './edits';
import type { Declaration, Kind } from './language';
import { readBody } from './read-input';

interface Presented extends Identified {
  readonly version?: number;
}

interface Needs<T extends Presented, V, Id> {
  readonly resource: Resource<T, V>;
  /** For an answer with these fields of this record; with all of them unless they are given. */
  readonly viewOf: (caller: Caller, record: T, fields?: readonly string[]) => Promise<V>;
  readonly baseUrl: string;
  readonly nodeIdDomain: string;
  readonly bodyLimit?: Limit | undefined;
  /** What the path says of the record, where that is not a number or a node id as `id`. */
  readonly idOf?: (req: Request) => Id;
  /** The collection of a created record, where that is not the path of the creation. */
  readonly collection?: string;
}

interface Reading<G> {
  /** Parses the body before it is read. */
  readonly body: readonly RequestHandler[];
  readonly read: (req: Request, write: 'create' | 'update') => G | Promise<G>;
  readonly editors: Declaration['editors'];
}

/** The handlers of the writes that a type has, guards included. */
export interface WriteHandlers {
  readonly create?: readonly RequestHandler[];
  /** Of PATCH and of PUT, which changes what it names too. */
  readonly update?: readonly RequestHandler[];
  readonly remove?: readonly RequestHandler[];
}

/** POST, PATCH, PUT and DELETE of a declared type. */
export const writeHandlers = <D extends Declaration, T extends Presented, V>(
  type: D,
  edits: Edits<D, T>,
  needs: Needs<T, V, T['id']>,
): WriteHandlers =>
  handlersOf(type, repeatable(edits), {
    ...needs,
    body: jsonBody(needs.bodyLimit),
    read: ({ body }, write) => readBody(type, needs.nodeIdDomain, write, body as object),
    editors: type.editors,
  });

/** POST, PATCH, PUT and DELETE of a type, as far as it has them. */
export function handlersOf<G, T extends Presented, V, Id = T['id']>(
  type: Kind & Pick<Partial<Declaration>, 'within'>,
  { create, once, update, remove, checkCaller, idOf: readId }: Writes<G, T, Id>,
  { resource, viewOf, baseUrl, nodeIdDomain, body, read, editors = {}, ...needs }: Needs<T, V, Id> & Reading<G>,
): WriteHandlers {
  const may = (verb: 'Create' | 'Update' | 'Delete', roles: readonly Role[] = ['account_administrator']) =>
    allow(actionOf(type, verb), ...roles);
  const now =
    (write: 'create' | 'update'): RequestHandler =>
    (req, _res, next) => {
      checkCaller?.(callerOf(req), write);
      next();
    };
  const numberIn: (req: Request) => unknown = recordIdIn(nodeIdDomain, type.graphqlName);
  const idOf =
    needs.idOf ?? ((req: Request) => readId?.(callerOf(req), String(req.params['id'])) ?? (numberIn(req) as Id));
  const conditionOf = (req: Request) =>
    req.get('if-match') === undefined ? undefined : preconditionOf(req, async (current: T) => tagOf(req, current));
  // The version alone is compared, so that the rest of its tag need not be made.
  const tagOf = async (req: Request, current: T): Promise<string | undefined> =>
    isVersioned(current)
      ? tagOfRecord(current, null)
      : tagOfJson(req, presentAll(resource, current, await viewOf(callerOf(req), current)));
  const send = async (req: Request, res: Response, record: T, shownOnce?: object): Promise<void> => {
    const view = await viewOf(callerOf(req), record, fieldsOf(req, resource));
    sendRecord(req, res, { resource, record, view, shownOnce });
  };
  const prepared = [checkFields(resource), ...body];

  return {
    ...(create && {
      create: [
        may('Create', editors.create),
        now('create'),
        ...prepared,
        async (req: Request, res: Response) => {
          const record = await create(callerOf(req), await read(req, 'create'));
          const { collection = `${req.baseUrl}${req.path}`.replace(/\/$/, '') } = needs;
          res.status(201).location(`${baseUrl}${collection}/${record.id}`);
          await send(req, res, record, once && (toRest(once(record)) as object));
        },
      ],
    }),
    ...(update && {
      update: [
        may('Update', editors.update),
        now('update'),
        ...prepared,
        async (req: Request, res: Response) =>
          send(req, res, await update(callerOf(req), idOf(req), await read(req, 'update'), conditionOf(req))),
      ],
    }),
    ...(remove && {
      remove: [
        may('Delete', editors.delete),
        checkFields(resource),
        async (req: Request, res: Response) => {
          await remove(callerOf(req), idOf(req), conditionOf(req));
          res.status(204).end();
        },
      ],
    }),
  };
}

interface Reads {
  readonly list: readonly RequestHandler[];
  readonly one: readonly RequestHandler[];
}

/** The routes of a collection and of one record; other methods are a 405. */
export function routesOf({ list, one }: Reads, { create, update, remove }: WriteHandlers): Router {
  const router = Router();
  const collection = router.route('/').get(...list);
  if (create) collection.post(...create);
  collection.all(methodNotAllowed('GET', 'HEAD', ...(create ? ['POST'] : [])));
  const single = router.route('/:id').get(...one);
  if (update) single.patch(...update).put(...update);
  if (remove) single.delete(...remove);
  single.all(methodNotAllowed('GET', 'HEAD', ...(update ? ['PATCH', 'PUT'] : []), ...(remove ? ['DELETE'] : [])));
  return router;
}
