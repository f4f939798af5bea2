import type { Connection } from 'mongoose';
import { durable } from './connect-mongo';
import { isDuplicateKey } from './duplicate-key';

interface Versioned {
  readonly id: number | string;
  readonly version: number;
}

/** Keeps `record` under its id unless a version as new is there already; for projections fed by messages in any order. */
export async function saveNewer(connection: Connection, collection: string, record: Versioned): Promise<void> {
  const { id, ...state } = record;
  const records = connection.collection<{ _id: number | string; version: number }>(collection);
  const older = { _id: id, version: { $lt: record.version } };
  try {
    await records.updateOne(older, { $set: state }, { upsert: true, writeConcern: durable });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // It exists already, either newer or put there by a simultaneous first save of an older version.
    await records.updateOne(older, { $set: state }, { writeConcern: durable });
  }
}
