import type { Connection, Types } from 'mongoose';
import type { OutboxEntry } from './outbox';
import { ensureIndex } from '../../stores/mongo/ensure-index';
import type { Gone, Lease } from '../../stores/presence/presence';

type DocumentId = Types.ObjectId | string | number;

/** The members of every document with an outbox; the relay does not touch the rest. */
interface OutboxDocument {
  readonly _id: DocumentId;
  readonly outbox?: OutboxEntry[];
  readonly outboxAt?: Date;
  readonly outboxLeaseUntil?: Date;
  readonly outboxOwner?: string;
}

/** A document whose waiting entries this process may send until the lease expires. */
export interface Claimed {
  readonly collection: string;
  readonly documentId: DocumentId;
  /** The process id of the lease. */
  readonly owner: string;
  readonly entries: readonly OutboxEntry[];
}

/** Uses single-document updates only, which are atomic against concurrent changes of the same document. */
export interface OutboxStore {
  /** The number of documents with waiting entries. */
  countWaiting(collection: string): Promise<number>;
  /** Whether there is a document to claim. */
  isDue(collection: string, now: Date, gone: Gone): Promise<boolean>;
  /** Leases the document that has waited longest. A lease of a process that is gone does not count. */
  claim(collection: string, now: Date, gone: Gone, lease: Lease): Promise<Claimed | undefined>;
  /** Removes `sent` and releases the lease, unless it has passed to another process. False when entries still wait. */
  settle(claimed: Claimed, sent: readonly string[]): Promise<boolean>;
  /**
   * Removes `sent`, releases the lease and delays the rest until `retryAt`; does nothing when the lease has passed to
   * another process.
   */
  postpone(claimed: Claimed, sent: readonly string[], retryAt: Date): Promise<void>;
}

/** The write concern of writes that may be lost on a failover: the entry would be sent again under the same id. */
export const forgettable = {
  claim: 'a lease that is lost ends early',
  settle: 'what was sent is sent again',
  postpone: 'what waits is tried earlier',
};

const lease = { outboxLeaseUntil: '', outboxOwner: '' } as const;

const due = (now: Date, gone: Gone) => ({
  outboxAt: { $lte: now },
  $or: [
    { outboxLeaseUntil: { $exists: false } },
    { outboxLeaseUntil: { $lte: now } },
    ...(gone.length > 0 ? [{ outboxOwner: { $in: [...gone] } }] : []),
  ],
});

export function createOutboxStore(connection: Connection): OutboxStore {
  const documents = (name: string) => connection.collection<OutboxDocument>(name);
  return {
    countWaiting: (collection) => documents(collection).countDocuments({ outboxAt: { $exists: true } }),
    isDue: async (collection, now, gone) =>
      (await documents(collection).findOne(due(now, gone), { projection: { _id: 1 } })) !== null,
    async claim(collection, now, gone, { owner, until }) {
      const found = await documents(collection).findOneAndUpdate(
        due(now, gone),
        { $set: { outboxLeaseUntil: until, outboxOwner: owner } },
        { sort: { outboxAt: 1 }, projection: { outbox: 1 }, returnDocument: 'after' },
      );
      return found ? { collection, documentId: found._id, owner, entries: found.outbox ?? [] } : undefined;
    },
    async settle({ collection, documentId, owner }, sent) {
      const nothingElseWaits = { outbox: { $not: { $elemMatch: { id: { $nin: [...sent] } } } } };
      const emptied = await documents(collection).updateOne(
        { _id: documentId, ...nothingElseWaits },
        { $unset: { outbox: '', outboxAt: '', ...lease } },
      );
      if (emptied.matchedCount > 0) return true;
      const taken = { $pull: { outbox: { id: { $in: [...sent] } } } };
      const ours = await documents(collection).updateOne(
        { _id: documentId, outboxOwner: owner },
        { ...taken, $unset: lease },
      );
      if (ours.matchedCount > 0) return false;
      return (await documents(collection).updateOne({ _id: documentId }, taken)).matchedCount === 0;
    },
    async postpone({ collection, documentId, owner }, sent, retryAt) {
      await documents(collection).updateOne(
        { _id: documentId, outboxOwner: owner },
        { $pull: { outbox: { id: { $in: [...sent] } } }, $set: { outboxAt: retryAt }, $unset: lease },
      );
    },
  };
}

/** Creates the indexes by which the relay finds waiting outboxes without a collection scan. */
export async function ensureOutboxIndexes(connection: Connection, collections: readonly string[]): Promise<void> {
  for (const name of collections) {
    await ensureIndex(
      connection.collection(name),
      { outboxAt: 1 },
      { name: 'outbox_waiting', partialFilterExpression: { outboxAt: { $exists: true } } },
    );
  }
}
