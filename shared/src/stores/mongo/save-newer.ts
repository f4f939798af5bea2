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

/**
 * Like `saveNewer`, but batches concurrent saves into one command. A record with a `member` that the stored one lacks
 * replaces its own version too: an earlier release has stored that.
 */
export function createNewerSaver<R extends Versioned>(
  connection: Connection,
  collection: string,
  member?: string,
): (record: R) => Promise<void> {
  const records = connection.collection<Kept>(collection);
  return createBatcher<R, void>(async (batch) => {
    const saves = batch.map((record) => ({ updateOne: { ...saveOf(record, member), upsert: true } }));
    try {
      await records.bulkWrite(saves, { ordered: false, writeConcern: durable });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Saving is idempotent, so it need not be known which of them existed.
      await Promise.all(batch.map((record) => saveNewer(connection, collection, record, member)));
    }
    return [];
  });
}

/**
 * Upserts `record` unless the same or a newer version exists; for projections that are fed by messages in any order.
 */
export async function saveNewer(
  connection: Connection,
  collection: string,
  record: Versioned,
  member?: string,
): Promise<void> {
  const records = connection.collection<Kept>(collection);
  const { filter, update } = saveOf(record, member);
  try {
    await records.updateOne(filter, update, { upsert: true, writeConcern: durable });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // It exists already: a newer version, or an older one of a concurrent first save.
    await records.updateOne(filter, update, { writeConcern: durable });
  }
}

function saveOf({ id, ...state }: Versioned, member?: string) {
  const { version } = state;
  const isOlder = { version: { $lt: version } };
  const isLess = member !== undefined && member in state && { version, [member]: { $exists: false } };
  return { filter: { _id: id, ...(isLess ? { $or: [isOlder, isLess] } : isOlder) }, update: { $set: state } };
}
