import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import type { Connection } from 'mongoose';
import type { StoredFile } from './attachment.repository';

interface UsageDocument {
  /** The account. */
  readonly _id: string;
  /** Bytes of its files. */
  readonly bytes: number;
  /** Files that are counted, whose upload is not complete yet. */
  readonly arriving?: readonly string[];
  /** The latest files that were taken off. */
  readonly left?: readonly string[];
}

type Counted = Pick<StoredFile, 'accountId' | 'id' | 'size'>;

/**
 * How many bytes the files of each account have. Each change is one write that names its file, so repeating it after a
 * process has ended in between counts nothing twice.
 */
export interface UsageRepository {
  find(accountId: string): Promise<number>;
  /** Counts a file; false when the account would have more than `quota` bytes. */
  add(file: Counted, quota: number): Promise<boolean>;
  /** The file that was counted is complete. */
  settle(file: Counted): Promise<void>;
  /** Takes off a file: one that is not complete only if it was counted. */
  subtract(file: Counted & Pick<StoredFile, 'isStored'>): Promise<void>;
}

const safely = { writeConcern: durable };
/** So many files may be deleted while one process has not yet forgotten a file that it took off. */
const mostRemembered = 1_000;

export function createUsageRepository(connection: Connection): UsageRepository {
  const usages = connection.collection<UsageDocument>('attachment_usages');
  return {
    async find(accountId) {
      return (await usages.findOne({ _id: accountId }, { projection: { bytes: 1 } }))?.bytes ?? 0;
    },
    async add({ accountId: _id, id, size }, quota) {
      await usages.updateOne({ _id }, { $setOnInsert: { bytes: 0 } }, { upsert: true, ...safely });
      const { matchedCount } = await usages.updateOne(
        { _id, bytes: { $lte: quota - size }, arriving: { $ne: id } },
        { $inc: { bytes: size }, $push: { arriving: id } },
        safely,
      );
      return matchedCount === 1;
    },
    async settle({ accountId: _id, id }) {
      await usages.updateOne({ _id, arriving: id }, { $pull: { arriving: id } }, safely);
    },
    async subtract({ accountId: _id, id, size, isStored }) {
      const taken = isStored ? 0 : -size;
      await usages.updateOne({ _id, arriving: id }, { $inc: { bytes: taken }, $pull: { arriving: id } }, safely);
      if (!isStored) return;
      const left = { $each: [id], $slice: -mostRemembered };
      await usages.updateOne({ _id, left: { $ne: id } }, { $inc: { bytes: -size }, $push: { left } }, safely);
    },
  };
}
