import type { Connection } from 'mongoose';
import type { SkippedRedelivered } from '@itsm/shared/contracts/deliveries';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { destinationOf, lineOf } from './delivery';
import type { Delivery } from './delivery';
import { collectionOf, fromDocument } from './delivery.document';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';

/** What a skipped delivery becomes when it is to be made after all. */
export type Release = Pick<Delivery, 'sealed' | 'host'>;

/** Skipped deliveries stand among the others, and are kept as long. */
export interface SkippedRepository {
  ensureIndexes(): Promise<void>;
  /** Those that `message` means, oldest first. */
  meant(message: SkippedRedelivered): AsyncIterable<Delivery>;
  /** Makes it due now; one that is not skipped any more is left alone. */
  release(delivery: Delivery, release: Release, requestedAt: Date, now: Date): Promise<void>;
}

const pageSize = 100;

export function createSkippedRepository(connection: Connection): SkippedRepository {
  const deliveries = collectionOf(connection);
  return {
    async ensureIndexes() {
      await ensureIndex(
        deliveries,
        { webhookId: 1, requestedAt: 1, _id: 1 },
        { name: 'skipped', partialFilterExpression: { state: 'skipped' } },
      );
    },
    // Page by page: the store ends a cursor that is not read from for ten minutes, and what is found is written to in between.
    async *meant({ accountId, webhookId, from, until }) {
      let beyond = {};
      for (;;) {
        const requestedAt = { $gte: new Date(from), $lte: new Date(until) };
        const page = await deliveries
          .find({ accountId, webhookId, state: 'skipped', requestedAt, ...beyond })
          .sort({ requestedAt: 1, _id: 1 })
          .limit(pageSize)
          .toArray();
        yield* page.map(fromDocument);
        const last = page.at(-1);
        if (!last || page.length < pageSize) return;
        const { requestedAt: at, _id } = last;
        beyond = {
          requestedAt: { ...requestedAt, $gte: at },
          $or: [{ requestedAt: { $gt: at } }, { _id: { $gt: _id } }],
        };
      }
    },
    async release({ id, accountId }, release, requestedAt, now) {
      // Requested again: a stop of the webhook that comes later applies to it as well.
      const due = { state: 'pending', stoppedBecause: null, requestedAt, dueAt: now } as const;
      await deliveries.updateOne(
        { _id: id, state: 'skipped' },
        { $set: { ...release, ...due, line: lineOf('first', destinationOf({ accountId, host: release.host })) } },
        { writeConcern: durable },
      );
    },
  };
}
