import type { Connection } from 'mongoose';
import type { SkippedRedelivered } from '@itsm/shared/contracts/deliveries';
import { durable } from '@itsm/shared/mongo/connect-mongo';
import { destinationOf, lineOf } from '../deliveries/delivery';
import type { Delivery } from '../deliveries/delivery';
import { collectionOf } from '../deliveries/delivery-document';
import type { Release } from './skipped-delivery';

/** Skipped deliveries stand among the others, and are kept as long. */
export interface SkippedRepository {
  ensureIndexes(): Promise<void>;
  /** Those that `message` means, oldest first. */
  meant(message: SkippedRedelivered): AsyncIterable<Delivery>;
  /** Makes it due now; one that is not skipped any more is left alone. */
  release(delivery: Delivery, release: Release, requestedAt: Date, now: Date): Promise<void>;
}

export function createSkippedRepository(connection: Connection): SkippedRepository {
  const deliveries = collectionOf(connection);
  return {
    async ensureIndexes() {
      await deliveries.createIndex(
        { webhookId: 1, requestedAt: 1 },
        { name: 'skipped', partialFilterExpression: { state: 'skipped' } },
      );
    },
    async *meant({ accountId, webhookId, from, until }) {
      const requestedAt = { $gte: new Date(from), $lte: new Date(until) };
      const found = deliveries.find({ accountId, webhookId, state: 'skipped', requestedAt }).sort({ requestedAt: 1 });
      for await (const { _id, ...rest } of found) yield { id: _id, ...rest };
    },
    async release({ id, accountId }, release, requestedAt, now) {
      // Requested anew: a stop of the webhook that comes later means it as well.
      const due = { state: 'pending', stoppedBecause: null, requestedAt, dueAt: now } as const;
      await deliveries.updateOne(
        { _id: id, state: 'skipped' },
        { $set: { ...release, ...due, line: lineOf('first', destinationOf({ accountId, host: release.host })) } },
        { writeConcern: durable },
      );
    },
  };
}
