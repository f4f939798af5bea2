import type { Connection, mongo } from 'mongoose';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import type { Delivery } from './delivery';
import { collectionOf, durably, fromDocument } from './delivery.document';
import type { DeliveryDocument } from './delivery.document';

type Filter<D> = mongo.Filter<D>;

/** Final states of deliveries that did not reach the receiver. */
export const finishedStates = ['failed', 'stopped'] as const;
/** States that can be redelivered: the final ones, and `pending`, whose next attempt is made now. */
export const redeliveryStates = [...finishedStates, 'pending'] as const;
export type RedeliveryState = (typeof redeliveryStates)[number];

/** Selects unsuccessful deliveries of one webhook by time (both ends included) and state. */
export interface RedeliverySelection {
  readonly states: readonly RedeliveryState[];
  readonly webhookId: number;
  readonly from: Date;
  readonly until: Date;
}

export interface RedeliveryRepository {
  /** The latest redelivery of `origin`: its id, null when there is none, and whether it is still pending. */
  latestOf(origin: Delivery): Promise<{ readonly id: string | null; readonly isUnderWay: boolean }>;
  /** Compare-and-set: replaces `former` by `id`, which is stored already, as the latest redelivery of the origin. */
  note(origin: Delivery, former: string | null, id: string): Promise<void>;
  /** Up to `most` selected deliveries in a final state that were not redelivered yet, oldest first. */
  select(accountId: string, selection: RedeliverySelection, most: number): Promise<readonly Delivery[]>;
  count(accountId: string, selection: RedeliverySelection): Promise<number>;
  /** Up to `most` selected deliveries that wait for a retry after `now`, oldest first. */
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
  const finished = (accountId: string, selection: RedeliverySelection) => ({
    ...requested(accountId, selection),
    state: { $in: finishedStates.filter((state) => selection.states.includes(state)) },
    event: { $ne: 'webhook.verify' },
    redeliveredAs: null,
  });
  const waiting = (accountId: string, selection: RedeliverySelection, now: Date) => ({
    ...requested(accountId, selection),
    state: 'pending' as const,
    // Repeats the condition of the partial index, so that the query can use it.
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
    select: (accountId, selection, most) => oldest(finished(accountId, selection), most),
    count: (accountId, selection) => countOf(finished(accountId, selection)),
    selectWaiting: (accountId, selection, now, most) => oldest(waiting(accountId, selection, now), most),
    countWaiting: (accountId, selection, now) => countOf(waiting(accountId, selection, now)),
  };
}
