import { bulkRefusals, duplicatesIn } from '@itsm/shared/stores/mongo/bulk-refusals';
import { mongo } from 'mongoose';
import { sourceIndex } from './record-indexes';

/**
 * `stale`: a concurrent change won. `taken`: another record has this source and source ID. `full`: the document or its
 * outbox would be too large.
 */
export type Written = 'written' | 'stale' | 'taken' | 'full';

/** The outcome of a write of one record; false stands for `stale`. */
export async function written(write: () => Promise<boolean>): Promise<Written> {
  try {
    return (await write()) ? 'written' : 'stale';
  } catch (error) {
    if (error instanceof mongo.MongoServerError && error.code === 11_000 && error.message.includes(sourceIndex)) {
      return 'taken';
    }
    if (error instanceof mongo.MongoServerError && documentTooLarge.has(Number(error.code))) return 'full';
    throw error;
  }
}

/** The indices of documents whose source and source ID another record has. */
export async function refusedOf(insert: () => Promise<unknown>): Promise<ReadonlySet<number>> {
  try {
    await insert();
    return new Set();
  } catch (error) {
    duplicatesIn(error);
    const faults = [...(bulkRefusals(error)?.values() ?? [])];
    return new Set(faults.flatMap(({ errmsg = '', index }) => (errmsg.includes(sourceIndex) ? index : [])));
  }
}

/** Error codes of the store for a document over 16 MB (on insert, on update, by update operators). */
const documentTooLarge = new Set([10_334, 17_419, 17_420]);
