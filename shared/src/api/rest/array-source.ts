import type { CollectionSource } from './collection-source';
import { fulfils } from './filter';
import type { Condition } from './filter';
import { compareKeys, keyOf } from './order';

/** A collection source over records in memory. */
export function createArraySource<T extends object>(records: readonly T[]): CollectionSource<T> {
  const matching = (filter: readonly Condition[] = []) =>
    records.filter((record) => filter.every((condition) => fulfils(condition, record)));
  return {
    read({ order, limit, skip, after, before, filter }) {
      const sorted = matching(filter)
        .filter((record) => !after || compareKeys(order, keyOf(order, record), after) > 0)
        .filter((record) => !before || compareKeys(order, keyOf(order, record), before) < 0)
        .sort((a, b) => compareKeys(order, keyOf(order, a), keyOf(order, b)));
      return Promise.resolve(before ? sorted.slice(-limit) : sorted.slice(skip, skip + limit));
    },
    count: (filter) => Promise.resolve(matching(filter).length),
  };
}
