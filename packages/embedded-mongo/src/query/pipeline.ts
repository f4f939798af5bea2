import { decodePlain, isDocument } from '../documents/document';
import type { Document, RawDocument } from '../documents/document';
import { CommandError } from '../errors/command-error';
import type { Collection } from '../storage/collection';
import { pause, withoutPauses } from './pauses';
import type { Pause } from './pauses';
import { createSearch } from './search';
import type { Search, SearchRequest } from './search';
import { runStages, stageOf } from './stages';
import type { StageSources } from './lookup';

export interface PipelineSources {
  /** Finds another collection of the database, for `$lookup`. */
  readonly resolve: (name: string) => Collection | undefined;
  readonly variables: Document;
  readonly collection: Collection | undefined;
  /** A filter that applies before the pipeline. */
  readonly filter?: Document;
  readonly hint?: unknown;
  readonly maxTimeMS?: number | undefined;
}

/**
 * Runs an aggregation. Leading `$match`, `$sort`, `$skip` and `$limit` become a search that can use indexes. Without
 * further stages, its documents are returned as stored. Further stages work on plain values.
 */
export function runPipeline(pipeline: readonly unknown[], sources: PipelineSources): Results {
  for (const stage of pipeline) stageOf(stage);
  const { request, rest } = splitPipeline(pipeline as Document[], sources.filter);
  const { collection, hint, variables, maxTimeMS } = sources;
  const search =
    collection && createSearch(collection, { ...request, ...(hint !== undefined && { hint }), variables, maxTimeMS });
  return resultsOf(search, rest, stageSources(sources));
}

/** Documents, and pauses between slices of the search; the stages after it are one slice. */
type Results = Generator<Document | RawDocument | Pause, void, void>;

function* resultsOf(search: Search | undefined, rest: readonly Document[], sources: StageSources): Results {
  const counted = search && countOnly(rest);
  if (counted) {
    yield* countInto(counted, yield* search.count());
    return;
  }
  const found: Document[] = [];
  for (const one of search?.runInSlices() ?? []) {
    if (one === pause) yield pause;
    else if (rest.length === 0) yield one.document;
    else found.push(decodePlain(one.document));
  }
  if (rest.length > 0) yield* runStages(rest, found, sources);
}

const stageSources = ({ resolve, variables }: PipelineSources): StageSources => ({
  variables,
  join: (from, filter, pipeline, bound) => {
    const found = runPipeline(pipeline, { collection: resolve(from), resolve, filter, variables: bound });
    return [...withoutPauses<Document | RawDocument>(found)].map((one) =>
      Buffer.isBuffer(one) ? decodePlain(one) : one,
    );
  },
});

/** Moves leading stages into one search, which supports the order match, sort, skip, limit. */
function splitPipeline(
  pipeline: readonly Document[],
  given: Document | undefined,
): { request: SearchRequest; rest: Document[] } {
  const rest = [...pipeline];
  const take = (name: string): unknown => (rest[0] && name in rest[0] ? rest.shift()?.[name] : undefined);
  const match = take('$match') ?? {};
  if (!isDocument(match))
    throw new CommandError('Location15959', 'the match filter must be an expression in an object');
  const filter = given ? { $and: [given, match] } : match;
  const sort =
    rest[0] && isDocument(rest[0]['$sort']) && Object.keys(rest[0]['$sort']).length > 0 ? take('$sort') : undefined;
  const skip = isCount(rest[0]?.['$skip'], 0) ? (take('$skip') as number) : 0;
  const limit = isCount(rest[0]?.['$limit'], 1) ? (take('$limit') as number) : 0;
  return { request: { filter, ...(sort !== undefined && { sort }), skip, limit }, rest };
}

const isCount = (value: unknown, least: number): boolean => Number.isInteger(value) && (value as number) >= least;

/** Recognizes the `$group` that drivers send for `countDocuments`, since an index alone may answer it. */
function countOnly(rest: readonly Document[]): { id: unknown; field: string } | undefined {
  const group = rest.length === 1 ? rest[0]?.['$group'] : undefined;
  if (!isDocument(group) || Object.keys(group).length !== 2) return undefined;
  const { _id: id, ...sums } = group;
  const [field, sum] = Object.entries(sums)[0] ?? [];
  const constant = id === null || typeof id === 'number';
  return field !== undefined && constant && isDocument(sum) && sum['$sum'] === 1 ? { id, field } : undefined;
}

function countInto({ id, field }: { id: unknown; field: string }, n: number): Document[] {
  return n === 0 ? [] : [{ _id: id, [field]: n }];
}
