import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { isDuplicateKey } from '@itsm/shared/stores/mongo/duplicate-key';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import type { MailOrder } from './mail-order';

interface MailOrderDocument extends Omit<MailOrder, 'id'> {
  readonly _id: string;
  readonly dueAt: Date;
}

/** Mails of the whole installation that wait to be sent. */
export interface MailOrderRepository {
  /** Does nothing when the order exists already. */
  insert(order: MailOrder, dueAt: Date): Promise<void>;
  /** Leases an order that is due until `leaseUntil`. */
  claim(now: Date, leaseUntil: Date): Promise<MailOrder | undefined>;
  postpone(id: string, dueAt: Date): Promise<void>;
  /** For an order that was sent or is not needed. */
  delete(id: string): Promise<void>;
}

/** An order that could not be sent for this long is deleted. */
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
  },
  { collection: 'mail_orders', versionKey: false, writeConcern: durable },
);
schema.index({ dueAt: 1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: keptSeconds });

export function createMailOrderRepository(connection: Connection): MailOrderRepository {
  const orders = connection.model<MailOrderDocument>('MailOrder', schema);
  return {
    async insert({ id, ...order }, dueAt) {
      try {
        await orders.create({ _id: id, ...order, dueAt });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async claim(now, leaseUntil) {
      const due = { dueAt: { $lte: now } };
      const found = await orders.findOneAndUpdate(due, { $set: { dueAt: leaseUntil } }, { sort: { dueAt: 1 } }).lean();
      return found ? toMailOrder(found) : undefined;
    },
    async postpone(id, dueAt) {
      await orders.updateOne({ _id: id }, { $set: { dueAt } });
    },
    async delete(id) {
      await orders.deleteOne({ _id: id });
    },
  };
}

const toMailOrder = ({ _id: id, dueAt: _dueAt, ...order }: MailOrderDocument): MailOrder => ({ id, ...order });
