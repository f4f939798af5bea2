import { Aggregator } from 'mingo/aggregator';
import { decodePlain, isDocument } from '../documents/document';
import type { Document, RawDocument } from '../documents/document';
import { CommandError } from '../errors/command-error';
import type { Collection } from '../storage/collection';
import { mingoOptions, pipelineStages } from './mingo-context';
import { equalityLookup, joinBySearch } from './lookup';
import { createSearch } from './search';
import type { SearchRequest } from './search';

export interface PipelineSources {
  readonly collection: Collection | undefined;
  /** Other collections of the database, for `$lookup` and its like. */
  resolve(name: string): Collection | undefined;
  readonly hint: unknown;
  readonly variables: Document | undefined;
  readonly now: Date;
  readonly maxTimeMS?: number | undefined;
}

/**
 * Runs an aggregation. Leading `$match`, `$sort`, `$skip` and `$limit` become an indexed search, whose documents go out as
 * stored when nothing follows; mingo does the rest on plain values.
 */
export function runPipeline(pipeline: readonly Document[], sources: PipelineSources): Iterable<Document | RawDocument> {
  for (const stage of pipeline) checkStage(stage);
  const { request, rest } = splitPipeline(pipeline);
  const { collection, hint, variables, maxTimeMS } = sources;
  const search =
    collection && createSearch(collection, { ...request, ...(hint !== undefined && { hint }), variables, maxTimeMS });
  const counted = search && countOnly(rest);
  if (counted) return countInto(counted, search.count());
  const found = search ? documentsOf(search.run()) : [];
  return rest.length === 0 ? found : runStages(rest, found, sources);
}

function checkStage(stage: Document): void {
  const [name, ...others] = Object.keys(stage);
  if (name === undefined || others.length > 0) {
    throw new CommandError('FailedToParse', 'A pipeline stage specification object must contain exactly one field.');
  }
  if (!pipelineStages.has(name))
    throw new CommandError('CommandNotSupported', `Unrecognized pipeline stage name: '${name}'`);
}

/** Takes as many leading stages as one search can do, in the order match, sort, skip, limit. */
function splitPipeline(pipeline: readonly Document[]): { request: SearchRequest; rest: Document[] } {
  const rest = [...pipeline];
  const take = (name: string): unknown => (rest[0] && name in rest[0] ? rest.shift()?.[name] : undefined);
  const filter = take('$match') ?? {};
  if (!isDocument(filter)) throw new CommandError('BadValue', 'the match filter must be an expression in an object');
  const sort = take('$sort');
  const skip = take('$skip');
  const limit = take('$limit');
  const counts = { ...(typeof skip === 'number' && { skip }), ...(typeof limit === 'number' && { limit }) };
  return { request: { filter, ...(sort !== undefined && { sort }), ...counts }, rest };
}

function* documentsOf(found: Iterable<{ document: RawDocument }>): Generator<RawDocument, void, void> {
  for (const { document } of found) yield document;
}

function runStages(stages: Document[], found: Iterable<RawDocument>, sources: PipelineSources): Iterable<Document> {
  const options = mingoOptions({
    collectionResolver: (name) => [...(sources.resolve(name)?.records.values() ?? [])].map(decodePlain),
    ...(sources.variables && { variables: sources.variables }),
  });
  const run = (part: Document[], documents: Document[]): Document[] =>
    part.length === 0 ? documents : [...new Aggregator(part, options).run<Document>(documents)];
  let documents = [...found].map(decodePlain);
  let waiting: Document[] = [];
  for (const stage of stages) {
    const lookup = equalityLookup(stage);
    if (lookup) {
      documents = run(waiting, documents);
      waiting = [];
    }
    const joined = lookup && joinBySearch(lookup, documents, sources.resolve(lookup.from));
    if (joined) documents = joined;
    else waiting.push(stage);
  }
  return run(waiting, documents);
}

/** What drivers send for `countDocuments`. */
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
