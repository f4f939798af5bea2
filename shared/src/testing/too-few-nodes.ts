import type { Connection } from 'mongoose';

/** More nodes than exist; 50 is the maximum of a write concern. */
const nodes = 40;

/**
 * Makes later inserts into the collection fail their write concern: they are written, but reported as not replicated.
 * Clients see this when a majority of the nodes is down.
 */
export function askForTooManyNodes(connection: Connection, name: string): void {
  // mongoose has one object per collection and connection, so repositories use the patched one.
  const collection = connection.collection(name);
  const insertMany = collection.insertMany.bind(collection);
  collection.insertMany = (documents, options) =>
    insertMany(documents, { ...options, writeConcern: { w: nodes, wtimeout: 100 } });
}
