import type { Document } from '../documents/document';
import { createMatcher } from '../query/matcher';
import type { Collection } from '../storage/collection';
import type { CommandHandler } from './command';
import { requireCollection } from './command';
import { documentField } from './fields';

export const dropDatabase: CommandHandler = {
  writes: true,
  run({ catalog }, { database }) {
    for (const collection of catalog.list(database)) catalog.drop(collection);
    return { dropped: database, ok: 1 };
  },
};

export const listDatabases: CommandHandler = {
  writes: false,
  run({ catalog }, { body }) {
    const sizes = new Map<string, number>();
    for (const { database, dataBytes } of catalog.list()) sizes.set(database, (sizes.get(database) ?? 0) + dataBytes);
    const matcher = createMatcher(documentField(body, 'filter') ?? {});
    const databases = [...sizes]
      .sort()
      .map(([name, sizeOnDisk]) => ({ name, sizeOnDisk, empty: sizeOnDisk === 0 }))
      .filter((entry) => matcher.matches(entry));
    const totalSize = databases.reduce((sum, { sizeOnDisk }) => sum + sizeOnDisk, 0);
    if (body['nameOnly'] === true) return { databases: databases.map(({ name }) => ({ name })), ok: 1 };
    return { databases, totalSize, ok: 1 };
  },
};

export const collStats: CommandHandler = {
  writes: false,
  run(context, command) {
    const collection = requireCollection(context, command);
    return { ns: `${command.database}.${collection.name}`, ...statsOf([collection]), ok: 1 };
  },
};

export const dbStats: CommandHandler = {
  writes: false,
  run({ catalog }, { database }) {
    const collections = catalog.list(database);
    const { count, size, nindexes } = statsOf(collections);
    return { db: database, collections: collections.length, objects: count, dataSize: size, indexes: nindexes, ok: 1 };
  },
};

function statsOf(collections: readonly Collection[]): Document {
  const total = (value: (collection: Collection) => number): number =>
    collections.reduce((sum, collection) => sum + value(collection), 0);
  return {
    count: total(({ records }) => records.size),
    size: total(({ dataBytes }) => dataBytes),
    nindexes: total(({ indexes }) => indexes.size),
  };
}
