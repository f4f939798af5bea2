import type { Connection, mongo } from 'mongoose';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import type { Delivery } from './delivery';
import { collectionOf, durably, fromDocument } from './delivery.document';
import type { DeliveryDocument } from './delivery.document';

type Filter<D> = mongo.Filter<D>;

/** Final states of deliveries that the receiver did not get. */
export const finishedStates = ['failed', 'stopped'] as const;
/** The same, and `pending`, in which a delivery may still succeed. */
export const redeliveryStates = [...finishedStates, 'pending'] as const;
export type RedeliveryState = (typeof redeliveryStates)[number];

/** Which deliveries of one webhook that were not successful are meant; both ends included. */
export interface RedeliverySelection {
  readonly states: readonly RedeliveryState[];
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
  /** Up to `most` deliveries that have failed before and wait for an attempt later than `now`, the oldest first. */
  selectWaiting(
    accountId: string,
    selection: RedeliverySelection,
    now: Date,
    most: number,
  ): Promise<readonly Delivery[]>;
  countWaiting(accountId: string, selection: RedeliverySelection, now: Date): Promise<number>;
}

export function createRedeliveryRepository(connection: Connection): RedeliveryRepository {
  const deliveries = collectionOf(connection);
  const requested = (accountId: string, { webhookId, from, until }: RedeliverySelection) => ({
    accountId,
    webhookId,
    createdAt: { $gte: from, $lte: until },
  });
  const meant = (accountId: string, selection: RedeliverySelection) => ({
    ...requested(accountId, selection),
    state: { $in: finishedStates.filter((state) => selection.states.includes(state)) },
    event: { $ne: 'webhook.verify' },
    redeliveredAs: null,
  });
  const waiting = (accountId: string, selection: RedeliverySelection, now: Date) => ({
    ...requested(accountId, selection),
    state: 'pending' as const,
    // The condition of the partial index, which holds deliveries that have failed before.
    lastErrorClass: { $gt: '' } as never,
    leased: false,
    dueAt: { $gt: now },
  });
  const oldest = async (filter: Filter<DeliveryDocument>, most: number): Promise<readonly Delivery[]> => {
    const found = await readForCaller(connection, 'light', (options) =>
      deliveries.find(filter, options()).sort({ createdAt: 1, _id: 1 }).limit(most).toArray(),
    );
    return found.map(fromDocument);
  };
  const countOf = (filter: Filter<DeliveryDocument>): Promise<number> =>
    readForCaller(connection, 'heavy', (options) => deliveries.countDocuments(filter, options()));

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
    select: (accountId, selection, most) => oldest(meant(accountId, selection), most),
    count: (accountId, selection) => countOf(meant(accountId, selection)),
    selectWaiting: (accountId, selection, now, most) => oldest(waiting(accountId, selection, now), most),
    countWaiting: (accountId, selection, now) => countOf(waiting(accountId, selection, now)),
  };
}
