import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import { leasing } from '@itsm/shared/stores/presence/presence';
import type { Leasable } from '@itsm/shared/stores/presence/presence';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import type { MailOrder } from './mail-order';

interface MailOrderDocument extends Omit<MailOrder, 'id'> {
  readonly _id: string;
  readonly dueAt: Date;
  /** The process that holds the lease until `dueAt`. */
  readonly owner?: string;
}

/** The queue of pending mails of the whole installation. */
export interface MailOrderRepository extends Leasable<MailOrder> {
  /** Idempotent by id. */
  insert(order: MailOrder, dueAt: Date): Promise<void>;
  postpone(id: string, dueAt: Date): Promise<void>;
  /** Deletes an order that was sent or is not needed. */
  delete(id: string): Promise<void>;
  /** Deletes all but the newest `most` orders of the kind for this person, or this address if the person is not known yet. */
  keepNewest(order: Omit<MailOrder, 'id'>, most: number): Promise<void>;
  /** The number of requests for a reset link that wait; counts no further than `most`. */
  countResetRequests(most: number): Promise<number>;
}

/** More than concurrent calls can leave. */
const mostSurplus = 1_000;
/** An order that could not be sent for this long is deleted (TTL index). */
const keptSeconds = 3 * 24 * 60 * 60;

const schema = new Schema<MailOrderDocument>(
  {
    _id: String,
    kind: { type: String, required: true },
    accountId: { type: String, default: '' },
    personId: { type: Number, required: true },
    version: { type: Number, required: true },
    address: { type: String, required: true },
    createdAt: { type: Date, required: true },
    dueAt: { type: Date, required: true },
    owner: String,
  },
  { collection: 'mail_orders', versionKey: false, writeConcern: durable },
);
schema.index({ dueAt: 1 });
schema.index({ personId: 1, kind: 1, address: 1, createdAt: -1, _id: -1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: keptSeconds });

export function createMailOrderRepository(connection: Connection): MailOrderRepository {
  const orders = connection.model<MailOrderDocument>('MailOrder', schema);
  return {
    ...leasing(orders, toMailOrder),
    async insert({ id, ...order }, dueAt) {
      await unlessTaken(orders.create({ _id: id, ...order, dueAt }));
    },
    async postpone(id, dueAt) {
      await orders.updateOne({ _id: id }, { $set: { dueAt }, $unset: { owner: '' } });
    },
    async delete(id) {
      await orders.deleteOne({ _id: id });
    },
    async keepNewest({ accountId, personId, kind, address }, most) {
      const alike = { personId, kind, accountId, ...(kind === 'reset-request' && { address }) };
      const surplus = await readForCaller(connection, 'light', (options) =>
        orders
          .find(alike, { _id: 1 })
          // A total order, so that concurrent calls keep the same ones.
          .sort({ createdAt: -1, _id: -1 })
          .skip(most)
          .limit(mostSurplus)
          .setOptions(options())
          .lean(),
      );
      if (surplus.length > 0) await orders.deleteMany({ _id: { $in: surplus.map(({ _id }) => _id) } });
    },
    countResetRequests: (most) =>
      readForCaller(connection, 'light', (options) =>
        orders.countDocuments({ personId: 0, kind: 'reset-request' }, { limit: most, ...options() }),
      ),
  };
}

const toMailOrder = ({ _id: id, dueAt: _dueAt, owner: _owner, ...order }: MailOrderDocument): MailOrder => ({
  id,
  ...order,
});
