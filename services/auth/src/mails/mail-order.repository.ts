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
}

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
  };
}

const toMailOrder = ({ _id: id, dueAt: _dueAt, owner: _owner, ...order }: MailOrderDocument): MailOrder => ({
  id,
  ...order,
});
