import type { Connection } from 'mongoose';
import { createBatcher } from './batcher';
import { durable } from './connect-mongo';
import { isDuplicateKey } from './duplicate-key';

interface Versioned {
  readonly id: number | string;
  readonly version: number;
}

interface Kept {
  readonly _id: number | string;
  readonly version: number;
}

/** Saves like `saveNewer`, what comes at the same time in one command. */
export function createNewerSaver<R extends Versioned>(
  connection: Connection,
  collection: string,
): (record: R) => Promise<void> {
  const records = connection.collection<Kept>(collection);
  return createBatcher<R, void>(async (batch) => {
    const saves = batch.map((record) => ({ updateOne: { ...saveOf(record), upsert: true } }));
    try {
      await records.bulkWrite(saves, { ordered: false, writeConcern: durable });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Which of them were there already does not matter: saving again changes nothing.
      await Promise.all(batch.map((record) => saveNewer(connection, collection, record)));
    }
    return [];
  });
}

/** Keeps `record` under its id unless a version as new is there already; for projections fed by messages in any order. */
export async function saveNewer(connection: Connection, collection: string, record: Versioned): Promise<void> {
  const records = connection.collection<Kept>(collection);
  const { filter, update } = saveOf(record);
  try {
    await records.updateOne(filter, update, { upsert: true, writeConcern: durable });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // It exists already, either newer or put there by a simultaneous first save of an older version.
    await records.updateOne(filter, update, { writeConcern: durable });
  }
}

const saveOf = ({ id, ...state }: Versioned) => ({
  filter: { _id: id, version: { $lt: state.version } },
  update: { $set: state },
});
