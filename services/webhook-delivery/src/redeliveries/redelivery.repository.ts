import type { Connection } from 'mongoose';
import type { Delivery } from '../deliveries/delivery';
import { collectionOf, durably, fromDocument } from '../deliveries/delivery-document';

/** Which deliveries of one webhook that were not successful are meant; both ends included. */
export interface RedeliverySelection {
  readonly webhookId: number;
  readonly from: Date;
  readonly until: Date;
}

export interface RedeliveryRepository {
  /** Claims the origin for the redelivery `id`; false when somebody else just did, or when that one is still under way. */
  claim(origin: Delivery, id: string): Promise<boolean>;
  /** Up to `most` that failed or were stopped and were not redelivered yet, oldest first. */
  select(accountId: string, selection: RedeliverySelection, most: number): Promise<readonly Delivery[]>;
  count(accountId: string, selection: RedeliverySelection): Promise<number>;
}

export function createRedeliveryRepository(connection: Connection): RedeliveryRepository {
  const deliveries = collectionOf(connection);
  const meant = (accountId: string, { webhookId, from, until }: RedeliverySelection) => ({
    ...{ accountId, webhookId, createdAt: { $gte: from, $lte: until } },
    ...{ state: { $in: ['failed' as const, 'stopped' as const] }, event: { $ne: 'webhook.verify' } },
    redeliveredAs: null,
  });

  return {
    async claim({ accountId, id: _id }, id) {
      const found = await deliveries.findOne({ _id, accountId }, { projection: { redeliveredAs: 1 } });
      const former = found?.redeliveredAs ?? null;
      if (former !== null && (await deliveries.findOne({ _id: former, state: 'pending' })) !== null) return false;
      const claimed = await deliveries.updateOne(
        { _id, accountId, redeliveredAs: former },
        { $set: { redeliveredAs: id } },
        durably,
      );
      return claimed.matchedCount > 0;
    },
    async select(accountId, selection, most) {
      const found = await deliveries
        .find(meant(accountId, selection))
        .sort({ createdAt: 1, _id: 1 })
        .limit(most)
        .toArray();
      return found.map(fromDocument);
    },
    count: (accountId, selection) => deliveries.countDocuments(meant(accountId, selection)),
  };
}
