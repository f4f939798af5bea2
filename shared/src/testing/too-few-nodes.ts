import type { Connection } from 'mongoose';

/** More than there are; a write may ask for 50. */
const nodes = 40;

/**
 * From now on inserts into the collection are to be on more nodes than the server has: they are made, and the answer says that
 * they are not replicated as asked. It is what a client gets when a majority of the nodes is away.
 */
export function askForTooManyNodes(connection: Connection, name: string): void {
  // A connection has one object for each collection, and repositories get the same one.
  const collection = connection.collection(name);
  const insertMany = collection.insertMany.bind(collection);
  collection.insertMany = (documents, options) =>
    insertMany(documents, { ...options, writeConcern: { w: nodes, wtimeout: 100 } });
}
