import type { Connection } from 'mongoose';
import type { SkippedRedelivered } from '@itsm/shared/contracts/deliveries';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { destinationOf, lineOf } from './delivery';
import type { Delivery } from './delivery';
import { collectionOf, fromDocument } from './delivery.document';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';

/** The members that a release replaces: the request for the present address, and its host. */
export type Release = Pick<Delivery, 'sealed' | 'host'>;

/** Skipped deliveries are stored with the others and kept for the same time. */
export interface SkippedRepository {
  ensureIndexes(): Promise<void>;
  /** The skipped deliveries that `message` selects, oldest first. */
  select(message: SkippedRedelivered): AsyncIterable<Delivery>;
  /** Makes the delivery pending and due now. Idempotent: one that is no longer skipped stays unchanged. */
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
    // Keyset pagination instead of a cursor: the server closes an idle cursor after ten minutes, and the caller updates
    // deliveries between reads.
    async *select({ accountId, webhookId, from, until }) {
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
      // A new request time, so that only later stops of the webhook apply.
      const due = { state: 'pending', stoppedBecause: null, requestedAt, dueAt: now } as const;
      await deliveries.updateOne(
        { _id: id, state: 'skipped' },
        { $set: { ...release, ...due, line: lineOf('first', destinationOf({ accountId, host: release.host })) } },
        { writeConcern: durable },
      );
    },
  };
}
