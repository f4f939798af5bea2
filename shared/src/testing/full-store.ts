import { mongo } from 'mongoose';
import type { Collection, Connection } from 'mongoose';

const writes = [
  'insertOne',
  'insertMany',
  'updateOne',
  'updateMany',
  'replaceOne',
  'findOneAndUpdate',
  'findOneAndReplace',
  'findOneAndDelete',
  'deleteOne',
  'deleteMany',
  'bulkWrite',
] as const;

type Write = (...given: unknown[]) => Promise<unknown>;

/**
 * Makes all writes through the connection fail as on a full disk, until the returned function is called. Reads go on.
 */
export function fillStore(connection: Connection): () => void {
  let isFull = true;
  const fill = (collection: Collection): Collection => {
    const methods = collection as unknown as Record<(typeof writes)[number], Write>;
    for (const name of writes) {
      const write = methods[name].bind(collection);
      methods[name] = (...given) => (isFull ? Promise.reject(outOfDiskSpace()) : write(...given));
    }
    return collection;
  };
  Object.values(connection.collections).forEach(fill);
  const open = connection.collection.bind(connection) as (...given: unknown[]) => Collection;
  connection.collection = ((...given: unknown[]) => fill(open(...given))) as Connection['collection'];
  return () => {
    isFull = false;
  };
}

/** As the stores report it. */
export const outOfDiskSpace = (): Error =>
  new mongo.MongoServerError({ code: 14_031, codeName: 'OutOfDiskSpace', errmsg: 'no space left on device' });
