import type { Document, RawDocument } from '../documents/document';
import { CommandError } from '../errors/command-error';
import type { Collection } from '../storage/collection';
import { isOperatorDocument } from './filter-tree';
import { createMatcher } from './matcher';
import { candidatesOf } from './candidates';
import { pause, sliceLength, withoutPauses } from './pauses';
import type { Pause } from './pauses';
import { planQuery } from './plan';
import type { Plan } from './plan';
import { parseSort, rawSortKeyOf, takeSorted } from './sort';
import type { SortField } from './sort';

export interface SearchRequest {
  readonly filter: Document;
  readonly sort?: unknown;
  readonly hint?: unknown;
  readonly skip?: number;
  /** 0 or absent: no limit. */
  readonly limit?: number;
  readonly variables?: Document | undefined;
  /** Time limit of the search; 0 or absent: no limit. */
  readonly maxTimeMS?: number | undefined;
}

export interface Found {
  readonly recordId: number;
  readonly document: RawDocument;
}

export interface Search {
  readonly plan: Plan;
  readonly sortsInMemory: boolean;
  readonly examined: { keys: number; documents: number };
  /**
   * Runs lazily: each document is read when it is reached. Changes before that show, and removed documents are skipped.
   */
  run(): Generator<Found, void, void>;
  /**
   * The same with pauses between slices of the work. As with MongoDB's yields, a change during a pause shows if the
   * search has not come to it yet.
   */
  runInSlices(): Generator<Found | Pause, void, void>;
  /** Yields pauses and returns the number of documents to find. Reads none of them if the index alone is enough. */
  count(): Generator<Pause, number, void>;
}

/** Plans a search. Its members execute it. */
export function createSearch(collection: Collection, request: SearchRequest): Search {
  const { naturalOrder, sort } = readSort(request.sort);
  const hint = request.hint ?? naturalOrder;
  const skip = request.skip ?? 0;
  const limit = request.limit === undefined || request.limit === 0 ? Infinity : request.limit;
  const plan = planQuery(collection, {
    filter: request.filter,
    sort,
    limit: limit === Infinity ? 0 : skip + limit,
    ...(hint !== undefined && { hint }),
  });
  const proven = plan.kind === 'index' && plan.proves;
  const matcher = proven ? undefined : createMatcher(request.filter, request.variables);
  const examined = { keys: 0, documents: 0 };
  const sortsInMemory = sort.length > 0 && !(plan.kind === 'index' && plan.sorted) && !isByIdAlone(request);

  function* matching(): Generator<Found | Pause, void, void> {
    const watch = request.maxTimeMS ? stopwatch(request.maxTimeMS) : undefined;
    let steps = 0;
    for (const recordId of candidatesOf(collection, plan, examined)) {
      watch?.check();
      steps += 1;
      // Before the document is read: it may be gone, or another one, after the pause.
      if (steps % sliceLength === 0) {
        yield pause;
        watch?.goOn();
      }
      const document = collection.records.get(recordId);
      if (!document) continue;
      examined.documents += 1;
      if (matcher && !matcher.matchesRaw(document)) continue;
      yield { recordId, document };
      watch?.goOn();
    }
  }

  function ordered(): Iterable<Found | Pause> {
    if (!sortsInMemory) return matching();
    const keyOf = rawSortKeyOf(sort);
    return takeSorted(matching(), ({ document }) => keyOf(document), skip + limit);
  }

  function* runInSlices(): Generator<Found | Pause, void, void> {
    let position = 0;
    for (const found of ordered()) {
      if (found === pause) {
        yield pause;
        continue;
      }
      position += 1;
      if (position <= skip) continue;
      yield found;
      if (position >= skip + limit) return;
    }
  }

  function* count(): Generator<Pause, number, void> {
    if (plan.kind === 'index' && plan.proves) {
      const entries = plan.ranges.reduce((sum, { low, high }) => sum + plan.index.count(low, high), 0);
      examined.keys += entries;
      return Math.min(limit, Math.max(0, entries - skip));
    }
    let n = 0;
    for (const found of runInSlices()) {
      if (found === pause) yield pause;
      else n += 1;
    }
    return n;
  }

  return { plan, sortsInMemory, examined, run: () => withoutPauses<Found>(runInSlices()), runInSlices, count };
}

/**
 * True if the filter is an equality on `_id` alone, whose one document needs no sort. With a `skip`, MongoDB sorts even
 * then.
 */
const isByIdAlone = ({ filter: { _id: id, ...others }, skip = 0 }: SearchRequest): boolean =>
  skip === 0 &&
  id !== undefined &&
  Object.keys(others).length === 0 &&
  !isOperatorDocument(id) &&
  !(id instanceof RegExp);

const checkedEvery = 256;

/** Throws once the search has worked this many milliseconds. Time between two batches of a cursor does not count. */
function stopwatch(milliseconds: number): { check(): void; goOn(): void } {
  let left = milliseconds;
  let since = performance.now();
  let steps = 0;
  return {
    check() {
      steps += 1;
      if (steps % checkedEvery !== 0) return;
      const now = performance.now();
      left -= now - since;
      since = now;
      if (left < 0) throw new CommandError('MaxTimeMSExpired', 'operation exceeded time limit');
    },
    goOn() {
      since = performance.now();
    },
  };
}

function readSort(sort: unknown): { naturalOrder?: unknown; sort: SortField[] } {
  const natural = (sort as { $natural?: unknown } | null | undefined)?.$natural;
  return natural === undefined ? { sort: parseSort(sort) } : { naturalOrder: { $natural: natural }, sort: [] };
}
