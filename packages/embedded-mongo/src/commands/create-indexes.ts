import { CommandError } from '../errors/command-error';
import type { Collection } from '../storage/collection';
import { parseIndexSpec, sameIndex, sameKey } from '../storage/index-spec';
import type { IndexSpec } from '../storage/index-spec';
import { collectionName } from './command';
import type { CommandHandler } from './command';

export const createIndexes: CommandHandler = {
  writes: true,
  run({ catalog }, command) {
    const { indexes } = command.body;
    if (!Array.isArray(indexes) || indexes.length === 0)
      throw new CommandError('BadValue', 'Must specify at least one index to create');
    const specs = indexes.map(parseIndexSpec);
    const existed = catalog.find(command.database, collectionName(command));
    const collection = existed ?? catalog.obtain(command.database, collectionName(command));
    const numIndexesBefore = collection.indexes.size;
    for (const spec of specs) if (isNew(collection, spec)) collection.addIndex(spec);
    return {
      numIndexesBefore,
      numIndexesAfter: collection.indexes.size,
      createdCollectionAutomatically: !existed,
      ok: 1,
    };
  },
};

/** False when the same index exists. Throws when another index has the same name, or the same key and filter. */
function isNew(collection: Collection, spec: IndexSpec): boolean {
  if (sameKey(spec, { v: 2, key: { _id: 1 }, name: '_id_' })) return false;
  for (const { spec: existing } of collection.indexes.values()) {
    const same = sameIndex(existing, spec);
    if (existing.name === spec.name) {
      if (same) return false;
      throw new CommandError(
        'IndexKeySpecsConflict',
        `An existing index has the same name as the requested index but differs. Requested index: ${JSON.stringify(spec)}, existing index: ${JSON.stringify(existing)}`,
      );
    }
    const sameFilter =
      JSON.stringify(existing.partialFilterExpression) === JSON.stringify(spec.partialFilterExpression);
    if (sameKey(existing, spec) && sameFilter) {
      throw new CommandError('IndexOptionsConflict', `Index already exists with a different name: ${existing.name}`);
    }
  }
  return true;
}
