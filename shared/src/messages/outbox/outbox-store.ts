import type { Connection, Types } from 'mongoose';
import type { OutboxEntry } from './outbox';
import { ensureIndex } from '../../stores/mongo/ensure-index';
import type { Gone, Lease } from '../../stores/presence/presence';

type DocumentId = Types.ObjectId | string | number;

/** The members every document with an outbox has; the rest of it is no business of the relay. */
interface OutboxDocument {
  readonly _id: DocumentId;
  readonly outbox?: OutboxEntry[];
  readonly outboxAt?: Date;
  readonly outboxLeaseUntil?: Date;
  readonly outboxOwner?: string;
}

/** A document whose waiting entries are ours to send until the lease runs out. */
export interface Claimed {
  readonly collection: string;
  readonly documentId: DocumentId;
  /** The process that we leased it as. */
  readonly owner: string;
  readonly entries: readonly OutboxEntry[];
}

/** Single-document updates only; each is atomic against a concurrent change of the same document. */
export interface OutboxStore {
  /** Documents with entries that wait. */
  countWaiting(collection: string): Promise<number>;
  /** Whether there is something to claim. */
  isDue(collection: string, now: Date, gone: Gone): Promise<boolean>;
  /** The document without a lease that has waited longest, now leased. A lease of a process that is gone is none. */
  claim(collection: string, now: Date, gone: Gone, lease: Lease): Promise<Claimed | undefined>;
  /** Takes `sent` out and gives the lease back, unless it is another's by now. False when other entries still wait. */
  settle(claimed: Claimed, sent: readonly string[]): Promise<boolean>;
  /** Takes `sent` out, gives the lease back and leaves the rest alone until `retryAt`; nothing where the lease is another's by now. */
  postpone(claimed: Claimed, sent: readonly string[], retryAt: Date): Promise<void>;
}

/** Writes that need not outlive the failure of a node: an entry that comes back is sent again, under the same id. */
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
