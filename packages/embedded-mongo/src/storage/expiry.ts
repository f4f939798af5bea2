import { inverted, keyString } from '../documents/key-string';
import { typeTags } from '../documents/type-tags';
import type { Catalog } from './catalog';
import type { Collection } from './collection';
import { endOf } from './collection-index';
import type { CollectionIndex, IndexEntry } from './collection-index';

/** Removes the documents that have expired by a TTL index. Returns whether there were any. */
export function removeExpired(catalog: Catalog, now: Date): boolean {
  let removed = false;
  for (const collection of catalog.list()) {
    for (const index of collection.indexes.values()) {
      if (index.spec.expireAfterSeconds === undefined) continue;
      const latest = new Date(now.getTime() - index.spec.expireAfterSeconds * 1000);
      removed = removeUntil(collection, index, latest) || removed;
    }
  }
  return removed;
}

/** Only dates expire. A document with another type in the field stays, as in MongoDB. */
function removeUntil(collection: Collection, index: CollectionIndex, latest: Date): boolean {
  const expired = new Set(expiredEntries(index, latest).map(([, recordId]) => recordId));
  for (const recordId of expired) collection.remove(recordId);
  return expired.size > 0;
}

function expiredEntries(index: CollectionIndex, latest: Date): IndexEntry[] {
  const last = keyString(latest);
  if (index.fields[0]?.descending !== true) return [...index.scan(typeTags.date, endOf(last), false)];
  return [...index.scan(inverted(last), endOf(inverted(typeTags.date)), false)];
}
