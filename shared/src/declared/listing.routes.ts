import { Router } from 'express';
import type { RequestHandler } from 'express';
import { methodNotAllowed } from '../api/http/method-not-allowed';
import { allow } from '../api/identity/allow';
import { callerOf } from '../api/identity/authenticate';
import type { Caller } from '../api/identity/caller';
import type { CollectionSource } from '../api/rest/collection-source';
import type { Condition } from '../api/rest/filter';
import { checkParameters, parseQueryParameters } from '../api/rest/query-parameters';
import type { Resource } from '../api/rest/resource';
import { sendCollection, sendRecord } from '../api/rest/send';
import { notFound } from '../base/errors/app-error';
import type { Role } from '../contracts/directory';
import type { Action } from '../contracts/scopes';
import { routesOf } from './write.routes';
import type { WriteHandlers } from './write.routes';

/** The view for presenting records. `remember` loads what the read records refer to. */
export interface LearningView<T, V> {
  readonly view: V;
  readonly remember?: (records: readonly T[]) => Promise<void>;
}

interface Listed<T extends { readonly id: number | string }, V> {
  /** Without them the lists are only read. */
  readonly writes?: WriteHandlers;
  readonly action: Action;
  /** Roles that may read; default: every caller with the scope. */
  readonly roles?: readonly Role[] | undefined;
  readonly resource: Resource<T, V>;
  readonly baseUrl: string;
  readonly source: (caller: Caller) => Promise<CollectionSource<T>> | CollectionSource<T>;
  /** Lists at paths of their own, by the path, each with the conditions that its records meet. */
  readonly views: Readonly<Record<string, (caller: Caller) => Promise<readonly Condition[]>>>;
  /** Finds a record by the id in the path. */
  readonly find: (caller: Caller, id: string) => Promise<T | undefined>;
  readonly createView: (caller: Caller) => LearningView<T, V> | Promise<LearningView<T, V>>;
}

/** A view that shows one record. */
export const viewOf =
  <T extends { readonly id: number | string }, V>(createView: Listed<T, V>['createView']) =>
  async (caller: Caller, record: T): Promise<V> => {
    const { view, remember } = await createView(caller);
    await remember?.([record]);
    return view;
  };

/** The routes of a list that GraphQL has too, and of a single record. */
export function createListingRoutes<T extends { readonly id: number | string }, V>(listed: Listed<T, V>): Router {
  const { action, roles = [], resource, baseUrl, source, views, find, createView, writes = {} } = listed;
  const list =
    (within: Listed<T, V>['views'][string] = () => Promise.resolve([])): RequestHandler =>
    async (req, res) => {
      const { view, remember } = await createView(callerOf(req));
      const [stored, conditions] = await Promise.all([source(callerOf(req)), within(callerOf(req))]);
      const narrowed = (filter: readonly Condition[] = []) => [...conditions, ...filter];
      const remembering: CollectionSource<T> = {
        async read(query) {
          const records = await stored.read({ ...query, filter: narrowed(query.filter) });
          await remember?.(records);
          return records;
        },
        count: (filter) => stored.count(narrowed(filter)),
      };
      await sendCollection(req, res, { resource, view, source: remembering, baseUrl });
    };
  const one: RequestHandler = async (req, res) => {
    checkParameters(parseQueryParameters(req.originalUrl), ['fields']);
    const record = await find(callerOf(req), String(req.params['id']));
    if (!record) throw notFound();
    sendRecord(req, res, { resource, view: await viewOf(createView)(callerOf(req), record), record });
  };
  const guard = allow(action, ...roles);
  const router = Router();
  for (const [path, within] of Object.entries(views))
    router.route(`/${path}`).get(guard, list(within)).all(methodNotAllowed('GET', 'HEAD'));
  return router.use(routesOf({ list: [guard, list()], one: [guard, one] }, writes));
}
