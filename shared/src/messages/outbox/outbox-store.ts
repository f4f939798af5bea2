import type { Connection, Types } from 'mongoose';
import type { OutboxEntry } from './outbox';
import { ensureIndex } from '../../stores/mongo/ensure-index';

type DocumentId = Types.ObjectId | string | number;

/** The members every document with an outbox has; the rest of it is no business of the relay. */
interface OutboxDocument {
  readonly _id: DocumentId;
  readonly outbox?: OutboxEntry[];
  readonly outboxAt?: Date;
  readonly outboxLeaseUntil?: Date;
}

/** A document whose waiting entries are ours to send until the lease runs out. */
export interface Claimed {
  readonly collection: string;
  readonly documentId: DocumentId;
  readonly entries: readonly OutboxEntry[];
}

/** Single-document updates only; each is atomic against a concurrent change of the same document. */
export interface OutboxStore {
  /** Documents with entries that wait. */
  countWaiting(collection: string): Promise<number>;
  /** The document without a lease that has waited longest, now leased. */
  claim(collection: string, now: Date, leaseUntil: Date): Promise<Claimed | undefined>;
  /** Takes `sent` out and gives the lease back. False when other entries still wait. */
  settle(claimed: Claimed, sent: readonly string[]): Promise<boolean>;
  /** Takes `sent` out, gives the lease back and leaves the rest alone until `retryAt`. */
  postpone(claimed: Claimed, sent: readonly string[], retryAt: Date): Promise<void>;
}

/** Writes that need not outlive the failure of a node: an entry that comes back is sent again, under the same id. */
export const forgettable = {
  claim: 'a lease that is lost ends early',
  settle: 'what was sent is sent again',
  postpone: 'what waits is tried earlier',
};

export function createOutboxStore(connection: Connection): OutboxStore {
  const documents = (name: string) => connection.collection<OutboxDocument>(name);
  return {
    countWaiting: (collection) => documents(collection).countDocuments({ outboxAt: { $exists: true } }),
    async claim(collection, now, leaseUntil) {
      const free = { $or: [{ outboxLeaseUntil: { $exists: false } }, { outboxLeaseUntil: { $lte: now } }] };
      const found = await documents(collection).findOneAndUpdate(
        { outboxAt: { $lte: now }, ...free },
        { $set: { outboxLeaseUntil: leaseUntil } },
        { sort: { outboxAt: 1 }, projection: { outbox: 1 }, returnDocument: 'after' },
      );
      return found ? { collection, documentId: found._id, entries: found.outbox ?? [] } : undefined;
    },
    async settle({ collection, documentId }, sent) {
      const nothingElseWaits = { outbox: { $not: { $elemMatch: { id: { $nin: [...sent] } } } } };
      const emptied = await documents(collection).updateOne(
        { _id: documentId, ...nothingElseWaits },
        { $unset: { outbox: '', outboxAt: '', outboxLeaseUntil: '' } },
      );
      if (emptied.matchedCount > 0) return true;
      const pulled = await documents(collection).updateOne(
        { _id: documentId },
        { $pull: { outbox: { id: { $in: [...sent] } } }, $unset: { outboxLeaseUntil: '' } },
      );
      return pulled.matchedCount === 0;
    },
    async postpone({ collection, documentId }, sent, retryAt) {
      await documents(collection).updateOne(
        { _id: documentId },
        {
          $pull: { outbox: { id: { $in: [...sent] } } },
          $set: { outboxAt: retryAt },
          $unset: { outboxLeaseUntil: '' },
        },
      );
    },
  };
}

/** Lets the relay find waiting outboxes without reading the collection. */
export async function ensureOutboxIndexes(connection: Connection, collections: readonly string[]): Promise<void> {
  for (const name of collections) {
    await ensureIndex(
      connection.collection(name),
      { outboxAt: 1 },
      { name: 'outbox_waiting', partialFilterExpression: { outboxAt: { $exists: true } } },
    );
  }
}
