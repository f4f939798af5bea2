import type { Document, RawDocument } from '../documents/document';
import { createProjection } from '../query/projection';
import { pause } from '../query/pauses';
import type { Pause } from '../query/pauses';
import { createSearch } from '../query/search';
import type { Search } from '../query/search';
import type { Collection } from '../storage/collection';
import { checkCollation, countField, documentField } from './fields';

/** The search of a `find`, which may be an explained one. */
export function findSearch(collection: Collection, body: Document): Search {
  checkCollation(body);
  return createSearch(collection, {
    filter: documentField(body, 'filter') ?? {},
    sort: documentField(body, 'sort'),
    hint: body['hint'],
    skip: countField(body, 'skip') ?? 0,
    limit: countField(body, 'limit') ?? 0,
    variables: documentField(body, 'let'),
    maxTimeMS: countField(body, 'maxTimeMS'),
  });
}

/** The results of a `find`: the matching documents, projected. */
export function* findResults(search: Search, body: Document): Generator<RawDocument | Pause, void, void> {
  const project = createProjection(documentField(body, 'projection'), documentField(body, 'filter') ?? {});
  for (const found of search.runInSlices()) yield found === pause ? pause : project(found.document);
}
