import type { Collection, Connection } from 'mongoose';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { Delivery } from './delivery';
import { ensureIndexes } from '@itsm/shared/stores/mongo/ensure-index';

export const deliveriesCollection = 'deliveries';

export type DeliveryDocument = Omit<Delivery, 'id'> & {
  readonly _id: string;
  /** The id of the latest redelivery of this delivery. */
  readonly redeliveredAs?: string | null;
  readonly outbox?: readonly OutboxEntry[];
  readonly outboxAt?: Date;
};

/** How long deliveries are kept (spec: Deliveries). */
const keptSeconds = 30 * 24 * 60 * 60;

export const collectionOf = (connection: Connection): Collection<DeliveryDocument> =>
  connection.collection<DeliveryDocument>(deliveriesCollection);

/** Majority write concern for every write: an acknowledged message, or a call made, must survive the failure of a node. */
export const durably = { writeConcern: durable };

const troubled = { state: { $in: ['failed', 'stopped'] } };

export async function ensureDeliveryIndexes(connection: Connection): Promise<void> {
  await ensureIndexes(collectionOf(connection), [
    // Partial: only pending deliveries, so its size does not grow with the log.
    { key: { line: 1, dueAt: 1 }, name: 'waiting', partialFilterExpression: { state: 'pending' } },
    // Leased deliveries by process, to end the leases of a dead one.
    { key: { owner: 1 }, name: 'leased', partialFilterExpression: { leased: true } },
    { key: { accountId: 1, createdAt: -1, _id: -1 }, name: 'log' },
    { key: { accountId: 1, webhookId: 1, createdAt: -1, _id: -1 }, name: 'log_of_webhook' },
    // Partial: people search the log for failures, and most deliveries succeed.
    { key: { accountId: 1, state: 1, createdAt: -1, _id: -1 }, name: 'troubles', partialFilterExpression: troubled },
    {
      key: { accountId: 1, webhookId: 1, state: 1, createdAt: -1, _id: -1 },
      name: 'troubles_of_webhook',
      partialFilterExpression: troubled,
    },
    // The log of one record, and of one event id.
    { key: { accountId: 1, objectId: 1, createdAt: -1, _id: -1 }, name: 'log_of_record' },
    { key: { accountId: 1, eventId: 1, createdAt: -1, _id: -1 }, name: 'log_of_event' },
    // Partial: without deliveries that succeeded at the first attempt.
    {
      key: { accountId: 1, lastErrorClass: 1, createdAt: -1, _id: -1 },
      name: 'troubles_by_class',
      partialFilterExpression: { lastErrorClass: { $gt: '' } },
    },
    {
      key: { accountId: 1, lastStatus: 1, createdAt: -1, _id: -1 },
      name: 'troubles_by_status',
      partialFilterExpression: { lastStatus: { $gte: 300 } },
    },
    {
      key: { accountId: 1, webhookId: 1, createdAt: 1, _id: 1 },
      name: 'retries_of_webhook',
      partialFilterExpression: { state: 'pending', lastErrorClass: { $gt: '' } },
    },
    { key: { accountId: 1, createdAt: -1, _id: -1 }, name: 'tests', partialFilterExpression: { test: true } },
    { key: { createdAt: 1 }, name: 'kept_30_days', expireAfterSeconds: keptSeconds },
  ]);
}

export const fromDocument = ({ _id, ...rest }: DeliveryDocument): Delivery => ({ id: _id, ...rest });

export const toDocument = ({ id, ...rest }: Delivery): DeliveryDocument => ({ _id: id, ...rest });
