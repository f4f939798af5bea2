import type { Connection } from 'mongoose';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import type { WebhookState } from '../webhooks/webhook';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';

/** A delivery that was skipped because its webhook was unverified or disabled. */
export interface SkippedDelivery {
  readonly deliveryId: string;
  readonly accountId: string;
  readonly webhookId: number;
  readonly eventId: string;
  readonly objectId: number;
  readonly reason: Exclude<WebhookState, 'active'>;
  readonly skippedAt: Date;
}

/** Both ends are included. */
export interface Period {
  readonly from: Date;
  readonly until: Date;
}

export interface SkippedSummary {
  readonly count: number;
  readonly first: Date | null;
  readonly last: Date | null;
  readonly examples: readonly SkippedDelivery[];
}

/**
 * Index of deliveries skipped in the last 30 days and not redelivered since. The deliveries themselves are stored by
 * webhook-delivery.
 */
export interface SkippedRepository {
  ensureIndexes(): Promise<void>;
  /** Idempotent by delivery id. */
  add(skipped: readonly SkippedDelivery[]): Promise<void>;
  summarize(accountId: string, webhookId: number, period: Period): Promise<SkippedSummary>;
  /** Marks the deliveries of the period once their redelivery is requested. */
  markRedelivered(accountId: string, webhookId: number, period: Period, now: Date): Promise<void>;
  /** When its redelivery was requested; undefined when it was not. */
  redeliveredAt(deliveryId: string): Promise<Date | undefined>;
}

type SkippedDocument = Omit<SkippedDelivery, 'deliveryId'> & { readonly _id: string; readonly redeliveredAt?: Date };

const keptSeconds = 30 * 24 * 60 * 60;
const mostExamples = 20;

export function createSkippedRepository(connection: Connection): SkippedRepository {
  const skipped = connection.collection<SkippedDocument>('skipped_deliveries');
  const selectionOf = (accountId: string, webhookId: number, { from, until }: Period) => ({
    accountId,
    webhookId,
    redeliveredAt: { $exists: false },
    skippedAt: { $gte: from, $lte: until },
  });
  return {
    async ensureIndexes() {
      await ensureIndex(skipped, { webhookId: 1, skippedAt: 1 });
      await ensureIndex(skipped, { skippedAt: 1 }, { name: 'kept_30_days', expireAfterSeconds: keptSeconds });
    },
    async add(deliveries) {
      if (deliveries.length === 0) return;
      await skipped.bulkWrite(
        deliveries.map(({ deliveryId, ...rest }) => ({
          updateOne: { filter: { _id: deliveryId }, update: { $setOnInsert: rest }, upsert: true },
        })),
        { ordered: false, writeConcern: durable },
      );
    },
    async summarize(accountId, webhookId, period) {
      const filter = selectionOf(accountId, webhookId, period);
      const [count, [last], examples] = await readForCaller(connection, 'heavy', (options) =>
        Promise.all([
          skipped.countDocuments(filter, options()),
          skipped.find(filter, options()).sort({ skippedAt: -1 }).limit(1).toArray(),
          skipped.find(filter, options()).sort({ skippedAt: 1 }).limit(mostExamples).toArray(),
        ]),
      );
      return {
        count,
        first: examples[0]?.skippedAt ?? null,
        last: last?.skippedAt ?? null,
        examples: examples.map(({ _id, ...rest }) => ({ deliveryId: _id, ...rest })),
      };
    },
    async markRedelivered(accountId, webhookId, period, now) {
      await skipped.updateMany(
        selectionOf(accountId, webhookId, period),
        { $set: { redeliveredAt: now } },
        { writeConcern: durable },
      );
    },
    async redeliveredAt(deliveryId) {
      const found = await skipped.findOne({ _id: deliveryId }, { projection: { redeliveredAt: 1 } });
      return found?.redeliveredAt;
    },
  };
}
