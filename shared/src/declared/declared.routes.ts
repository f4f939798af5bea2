import type { Router } from 'express';
import type { Limit } from '../api/http/json-body';
import type { Caller } from '../api/identity/caller';
import type { Resource } from '../api/rest/resource';
import { parseRecordId } from '../base/ids/node-id';
import { actionOf, conditionsOfView } from './edits';
import type { Edits, Identified } from './edits';
import type { Declaration } from './language';
import { createListingRoutes, viewOf } from './listing.routes';
import type { LearningView } from './listing.routes';
import { noSuchView, viewsOf } from './views';
import { writeHandlers } from './write.routes';

interface Needs<T extends Identified, V> {
  readonly resource: Resource<T, V>;
  readonly createView: (caller: Caller) => LearningView<T, V> | Promise<LearningView<T, V>>;
  readonly baseUrl: string;
  readonly nodeIdDomain: string;
  /** Of the bodies of writes, where the usual one is too short. */
  readonly bodyLimit?: Limit;
}

/** REST of a type: list, one, and the writes that exist. */
export function declaredRoutes<D extends Declaration, T extends Identified & { readonly version?: number }, V>(
  type: D,
  edits: Edits<D, T>,
  { createView, ...needs }: Needs<T, V>,
): Router {
  const views = type.isAccount ? [] : viewsOf(type).map(({ name }) => name);
  return createListingRoutes({
    action: actionOf(type, 'Read'),
    roles: type.readers,
    resource: needs.resource,
    baseUrl: needs.baseUrl,
    writes: writeHandlers(type, edits, { ...needs, viewOf: viewOf(createView) }),
    source: (caller) => edits.list(caller, []),
    views: Object.fromEntries(
      views.map((view) => [view, (caller: Caller) => conditionsOfView(type, edits, caller, view)]),
    ),
    async find(caller, text) {
      const id = edits.idOf?.(caller, text) ?? parseRecordId(needs.nodeIdDomain, type.graphqlName, text);
      if (id === undefined) throw noSuchView(type.plural, text, views);
      return edits.find(caller, id);
    },
    createView,
  });
}
