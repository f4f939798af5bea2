import type { Connection } from 'mongoose';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { binsPerUnit, bucketSizes, originOf } from './delivery-counts';
import type { CountedBin, CountedSpan } from './delivery-counts';
import { collectionOf } from './delivery.document';
import type { DeliveryFilter } from './delivery.repository';

/** Counts the deliveries of a time span, in one index scan. */
export interface DeliveryCountsRepository {
  count(accountId: string, filter: DeliveryFilter, span: CountedSpan): Promise<readonly CountedBin[]>;
}

/** Shorter durations are rounded up to this, because bins are logarithmic. */
const leastMilliseconds = 0.1;

export function createDeliveryCountsRepository(connection: Connection): DeliveryCountsRepository {
  const deliveries = collectionOf(connection);
  return {
    async count(accountId, { webhookId }, span) {
      const { from, until, bucket } = span;
      const sinceOrigin = { $subtract: ['$createdAt', new Date(originOf(span))] };
      const bin = { $floor: { $multiply: [{ $ln: { $max: ['$took', leastMilliseconds] } }, binsPerUnit] } };
      const pipeline = [
        {
          $match: {
            accountId,
            ...(webhookId !== undefined && { webhookId }),
            createdAt: { $gte: from, $lt: until },
          },
        },
        { $project: { state: 1, createdAt: 1, took: { $arrayElemAt: ['$attempts.timings.total', -1] } } },
        {
          $group: {
            _id: {
              bucket: { $floor: { $divide: [sinceOrigin, bucketSizes[bucket]] } },
              state: '$state',
              bin: { $cond: [{ $gte: ['$took', 0] }, bin, null] },
            },
            n: { $sum: 1 },
          },
        },
      ];
      const rows = await readForCaller(connection, 'heavy', (options) =>
        deliveries.aggregate<{ _id: Omit<CountedBin, 'n'>; n: number }>(pipeline, options()).toArray(),
      );
      return rows.map(({ _id, n }) => ({ bucket: _id.bucket, state: _id.state, bin: _id.bin, n }));
    },
  };
}
