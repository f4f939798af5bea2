import type { Connection, Types } from 'mongoose';
import type { OutboxEntry } from './outbox';
import { createBatcher } from '../../stores/mongo/batcher';
import type { Batcher } from '../../stores/mongo/batcher';
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

type Sent = readonly [Claimed, readonly string[]];

/** Each document is changed on its own, which is atomic against concurrent changes of it. */
export interface OutboxStore {
  /** The number of documents with waiting entries. */
  countWaiting(collection: string): Promise<number>;
  /** Whether there is a document to claim. */
  isDue(collection: string, now: Date, gone: Gone): Promise<boolean>;
  /** Leases the document that has waited longest. A lease of a process that is gone does not count. */
  claim(collection: string, now: Date, gone: Gone, lease: Lease): Promise<Claimed | undefined>;
  /** The same for up to `most` documents, those that have waited longest first; undefined when there is none. */
  claimSome(
    collection: string,
    now: Date,
    gone: Gone,
    lease: Lease,
    most: number,
  ): Promise<readonly Claimed[] | undefined>;
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
  claimSome: 'a lease that is lost ends early',
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
  const emptied = ({ documentId }: Claimed, sent: readonly string[]) => ({
    // Nothing else waits.
    filter: { _id: documentId, outbox: { $not: { $elemMatch: { id: { $nin: [...sent] } } } } },
    update: { $unset: { outbox: '', outboxAt: '', ...lease } } as const,
  });
  const emptyOne = async ([claimed, sent]: Sent): Promise<boolean> => {
    const { filter, update } = emptied(claimed, sent);
    return (await documents(claimed.collection).updateOne(filter, update)).matchedCount > 0;
  };
  const emptying = new Map<string, Batcher<Sent, boolean>>();
  /** Those that end at the same time share a command. */
  const emptier = (collection: string): Batcher<Sent, boolean> => {
    const known = emptying.get(collection);
    if (known) return known;
    const made = createBatcher<Sent, boolean>(async (batch) => {
      if (batch.length > 1) {
        const writes = batch.map((one) => ({ updateOne: emptied(...one) }));
        const { matchedCount } = await documents(collection).bulkWrite(writes, { ordered: false });
        if (matchedCount === batch.length) return batch.map(() => true);
      }
      // It is not known which; what is empty already remains so.
      return Promise.all(batch.map(emptyOne));
    });
    emptying.set(collection, made);
    return made;
  };
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
    async claimSome(collection, now, gone, { owner, until }, most) {
      const order = { sort: { outboxAt: 1 }, limit: most, projection: { _id: 1 } } as const;
      const ids = (await documents(collection).find(due(now, gone), order).toArray()).map(({ _id }) => _id);
      if (ids.length === 0) return undefined;
      const ours = { outboxLeaseUntil: until, outboxOwner: owner };
      await documents(collection).updateMany({ _id: { $in: ids }, ...due(now, gone) }, { $set: ours });
      const leased = documents(collection).find({ _id: { $in: ids }, ...ours }, { projection: { outbox: 1 } });
      return (await leased.toArray()).map(({ _id, outbox = [] }) => ({
        collection,
        documentId: _id,
        owner,
        entries: outbox,
      }));
    },
    async settle(claimed, sent) {
      const { collection, documentId, owner } = claimed;
      if (await emptier(collection)([claimed, sent])) return true;
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
