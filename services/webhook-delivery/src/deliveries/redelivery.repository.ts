import type { Connection } from 'mongoose';
import type { Delivery } from './delivery';
import { collectionOf, durably, fromDocument } from './delivery.document';

/** Which deliveries of one webhook that were not successful are meant; both ends included. */
export interface RedeliverySelection {
  readonly webhookId: number;
  readonly from: Date;
  readonly until: Date;
}

export interface RedeliveryRepository {
  /** The latest redelivery of `origin`, null when there is none, and whether it is still under way. */
  latestOf(origin: Delivery): Promise<{ readonly id: string | null; readonly isUnderWay: boolean }>;
  /** Notes at the origin that `id`, which is stored, follows `former`. */
  note(origin: Delivery, former: string | null, id: string): Promise<void>;
  /** Up to `most` that failed or were stopped and were not redelivered yet, oldest first. */
  select(accountId: string, selection: RedeliverySelection, most: number): Promise<readonly Delivery[]>;
  count(accountId: string, selection: RedeliverySelection): Promise<number>;
}

export function createRedeliveryRepository(connection: Connection): RedeliveryRepository {
  const deliveries = collectionOf(connection);
  const meant = (accountId: string, { webhookId, from, until }: RedeliverySelection) => ({
    accountId,
    webhookId,
    createdAt: { $gte: from, $lte: until },
    state: { $in: ['failed' as const, 'stopped' as const] },
    event: { $ne: 'webhook.verify' },
    redeliveredAs: null,
  });

  return {
    async latestOf({ accountId, id: _id }) {
      const found = await deliveries.findOne({ _id, accountId }, { projection: { redeliveredAs: 1 } });
      const id = found?.redeliveredAs ?? null;
      const isUnderWay = id !== null && (await deliveries.findOne({ _id: id, state: 'pending' })) !== null;
      return { id, isUnderWay };
    },
    async note({ accountId, id: _id }, former, id) {
      await deliveries.updateOne({ _id, accountId, redeliveredAs: former }, { $set: { redeliveredAs: id } }, durably);
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
