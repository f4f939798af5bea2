import type { Connection } from 'mongoose';
import type { WebhookStopped } from '@itsm/shared/contracts/deliveries';
import { duplicatesIn } from '@itsm/shared/stores/mongo/bulk-refusals';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { createMongoSource } from '@itsm/shared/api/rest/mongo-source';
import type { OrderStep } from '@itsm/shared/api/rest/order';
import type { Delivery } from './delivery';
import { collectionOf, durably, ensureDeliveryIndexes, fromDocument, toDocument } from './delivery.document';
import type { DeliveryDocument } from './delivery.document';

/** Selects deliveries of one account, optionally of one webhook or in one state. */
export interface DeliveryFilter {
  readonly webhookId?: number;
}

export const newestFirst: readonly OrderStep[] = [
  { field: 'created_at', property: 'createdAt', descending: true },
  { field: 'id', property: 'id', descending: true },
];

/** The reverse order; the index of the log serves both. */
export const oldestFirst: readonly OrderStep[] = newestFirst.map((step) => ({ ...step, descending: false }));

/** Inserts, reads and ends deliveries; the schedule is in `delivery-schedule.repository.ts`. */
export interface DeliveryRepository {
  ensureIndexes(): Promise<void>;
  /** Idempotent by id; returns for each delivery whether it is new. */
  insert(deliveries: readonly Delivery[]): Promise<readonly boolean[]>;
  /** Ends the pending deliveries of a webhook that were requested before `stopped.at`. */
  stop(stopped: WebhookStopped): Promise<void>;
  /** Ends a stored delivery before its first attempt; false when it is no longer pending under this fence. */
  giveUp(delivery: Delivery, because: string): Promise<boolean>;
  find(accountId: string, id: string): Promise<Delivery | undefined>;
  collect(accountId: string, filter: DeliveryFilter): CollectionSource<Delivery>;
}

/**
 * Reads of the log without an index of their own. They scan the account's or the webhook's deliveries of 30 days,
 * newest first, until the page is full or the call times out. An index would cost a write with every delivery.
 */
export const unbounded = {
  'collect of requested_at': 'what was requested at a time is found by created_at, seconds later, which has an index',
  'collect of event':
    'an account has few events: a page of one is soon full, and its count alone looks through the log',
  'collect of host':
    'an account calls few hosts: a page of one is soon full, and its count alone looks through the log',
};

export function createDeliveryRepository(connection: Connection): DeliveryRepository {
  const deliveries = collectionOf(connection);
  return {
    ensureIndexes: () => ensureDeliveryIndexes(connection),

    async insert(fresh) {
      const known = new Set<number>();
      try {
        await deliveries.insertMany(fresh.map(toDocument), { ordered: false, ...durably });
      } catch (error) {
        for (const index of duplicatesIn(error)) known.add(index);
      }
      return fresh.map((_delivery, index) => !known.has(index));
    },

    async stop({ accountId, webhookId, at, reason, event }) {
      // Excludes what the same change requested, such as the verification of a new address: it has the same time.
      const scope = { accountId, webhookId, ...(event !== undefined && { event }) };
      await deliveries.updateMany(
        { ...scope, state: 'pending', requestedAt: { $lt: new Date(at) } },
        stoppedBecause(reason),
        durably,
      );
    },

    async giveUp({ id, fence }, because) {
      const given = await deliveries.updateOne({ _id: id, fence, state: 'pending' }, stoppedBecause(because), durably);
      return given.matchedCount > 0;
    },

    async find(accountId, id) {
      const found = await deliveries.findOne({ _id: id, accountId });
      return found ? fromDocument(found) : undefined;
    },

    collect: (accountId, { webhookId }) =>
      createMongoSource<DeliveryDocument, Delivery>({
        collection: deliveries as never,
        where: webhookId === undefined ? { accountId } : { accountId, webhookId },
        toRecord: fromDocument,
      }),
  };
}

const stoppedBecause = (reason: string) => ({
  $set: { state: 'stopped' as const, stoppedBecause: reason as Delivery['stoppedBecause'], dueAt: null },
});
