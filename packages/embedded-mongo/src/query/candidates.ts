import type { Collection } from '../storage/collection';
import type { IndexEntry } from '../storage/collection-index';
import type { IndexPlan } from './index-plan';
import type { Plan } from './plan';

/** The records that the plan reaches, without duplicates. Adds the number of index entries read to `examined`. */
export function* candidatesOf(
  collection: Collection,
  plan: Plan,
  examined: { keys: number },
): Generator<number, void, void> {
  if (plan.kind === 'collection') {
    yield* plan.reverse ? [...collection.records.keys()].reverse() : collection.records.keys();
    return;
  }
  const branches = plan.kind === 'union' ? plan.branches : [plan];
  // A document with several keys, or in several branches, is reached more than once.
  const seen = plan.kind === 'union' || plan.index.isMultikey() ? new Set<number>() : undefined;
  for (const branch of branches) {
    for (const [, recordId] of entriesOf(branch)) {
      examined.keys += 1;
      if (seen?.has(recordId)) continue;
      seen?.add(recordId);
      yield recordId;
    }
  }
}

function* entriesOf(plan: IndexPlan): Generator<IndexEntry, void, void> {
  if (plan.sorted && plan.ranges.length > 1) {
    yield* mergedEntries(plan);
    return;
  }
  for (const { low, high } of plan.ranges) yield* plan.index.scan(low, high, plan.reverse);
}

interface Head {
  /** The sort key of the entry in the merge: its index key without the prefix of its range. */
  order: string;
  entry: IndexEntry;
  readonly prefixLength: number;
  readonly entries: Generator<IndexEntry, void, void>;
}

/** Merges the ranges, so that all entries come in the order of the index fields after the prefix. */
function* mergedEntries({ index, ranges, reverse }: IndexPlan): Generator<IndexEntry, void, void> {
  let heads: Head[] = [];
  for (const { prefix, low, high } of ranges) {
    const head = {
      order: '',
      entry: ['', 0] as const,
      prefixLength: prefix.length,
      entries: index.scan(low, high, reverse),
    };
    if (advance(head)) heads.push(head);
  }
  while (heads.length > 0) {
    const next = heads.reduce((best, head) =>
      head.order < best.order !== reverse && head.order !== best.order ? head : best,
    );
    yield next.entry;
    if (!advance(next)) heads = heads.filter((head) => head !== next);
  }
}

function advance(head: Head): boolean {
  const { value, done } = head.entries.next() as IteratorResult<IndexEntry, undefined>;
  if (done === true) return false;
  head.entry = value;
  head.order = value[0].slice(head.prefixLength);
  return true;
}
