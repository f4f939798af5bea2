import { notFound } from '@itsm/shared/base/errors/app-error';
import { methodNotAllowed } from '@itsm/shared/api/http/method-not-allowed';
import { allow } from '@itsm/shared/api/identity/allow';
import { callerOf } from '@itsm/shared/api/identity/authenticate';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { checkParameters, parseQueryParameters } from '@itsm/shared/api/rest/query-parameters';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { sendCollection, sendRecord } from '@itsm/shared/api/rest/send';
import type { Role } from '@itsm/shared/contracts/directory';
import type { Action } from '@itsm/shared/contracts/scopes';
import { Router } from 'express';

/** The view for presenting records. `remember` loads what the read records refer to. */
interface LearningView<T, V> {
  readonly view: V;
  readonly remember: (records: readonly T[]) => Promise<void>;
}

interface Listed<T extends { readonly id: number | string }, V> {
  readonly action: Action;
  /** Roles that may read; default: every caller with the scope. */
  readonly roles?: readonly Role[];
  readonly resource: Resource<T, V>;
  readonly baseUrl: string;
  readonly source: (caller: Caller) => Promise<CollectionSource<T>>;
  /** Finds a record by the id in the path. */
  readonly find: (caller: Caller, id: string) => Promise<T | undefined>;
  readonly createView: (caller: Caller) => LearningView<T, V> | Promise<LearningView<T, V>>;
}

/** `GET` routes of a list that GraphQL has too, and of a single record. */
export function createListingRoutes<T extends { readonly id: number | string }, V>(listed: Listed<T, V>): Router {
  const { action, roles = [], resource, baseUrl, source, find, createView } = listed;
  const router = Router();
  router
    .route('/')
    .get(allow(action, ...roles), async (req, res) => {
      const { view, remember } = await createView(callerOf(req));
      const stored = await source(callerOf(req));
      const remembering: CollectionSource<T> = {
        async read(query) {
          const records = await stored.read(query);
          await remember(records);
          return records;
        },
        count: (filter) => stored.count(filter),
      };
      await sendCollection(req, res, { resource, view, source: remembering, baseUrl });
    })
    .all(methodNotAllowed('GET'));
  router
    .route('/:id')
    .get(allow(action, ...roles), async (req, res) => {
      checkParameters(parseQueryParameters(req.originalUrl), ['fields']);
      const record = await find(callerOf(req), String(req.params.id));
      if (!record) throw notFound();
      const { view, remember } = await createView(callerOf(req));
      await remember([record]);
      sendRecord(req, res, { resource, view, record });
    })
    .all(methodNotAllowed('GET'));
  return router;
}
