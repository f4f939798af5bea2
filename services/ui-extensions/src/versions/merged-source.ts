import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { createArraySource } from '@itsm/shared/api/rest/array-source';
import { compareKeys, keyOf } from '@itsm/shared/api/rest/order';

/** One collection out of a few records in memory and many in a store; no record may be in both. */
export function mergeSources<T extends object>(few: readonly T[], many: CollectionSource<T>): CollectionSource<T> {
  const inMemory = createArraySource(few);
  return {
    async read(query) {
      // Of the first `skip` records at most `few.length` are in memory, so the others can be skipped in the store.
      const skip = Math.max(0, query.skip - few.length);
      const found = await Promise.all([
        inMemory.read({ ...query, skip: 0, limit: few.length }),
        many.read({ ...query, skip, limit: query.limit + query.skip - skip }),
      ]);
      const { order } = query;
      const merged = found.flat().sort((a, b) => compareKeys(order, keyOf(order, a), keyOf(order, b)));
      const from = query.before ? Math.max(0, merged.length - query.limit) : query.skip - skip;
      return merged.slice(from, from + query.limit);
    },
    count: async (filter) => (await inMemory.count(filter)) + (await many.count(filter)),
  };
}
