import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { isDuplicateKey } from '@itsm/shared/stores/mongo/duplicate-key';
import { dueOrLeft } from '@itsm/shared/stores/presence/presence';
import type { Gone, Lease } from '@itsm/shared/stores/presence/presence';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import type { Alert } from './alert';

interface AlertDocument extends Omit<Alert, 'id'> {
  readonly _id: string;
  /** When it may be sent next; absent once it was. */
  readonly dueAt?: Date;
  /** The process that has it in hand until then. */
  readonly owner?: string;
}

export interface AlertRepository {
  /** Nothing happens when the alert is there already. */
  insert(alert: Alert): Promise<void>;
  /** Whether there is one to claim. */
  isDue(now: Date, gone: Gone): Promise<boolean>;
  /** One that is due, or that a process had in hand that is gone; left alone by others until the lease ends. */
  claim(now: Date, gone: Gone, lease: Lease): Promise<Alert | undefined>;
  settle(id: string): Promise<void>;
  postpone(id: string, retryAt: Date): Promise<void>;
}

const keptSeconds = 30 * 24 * 60 * 60;

const schema = new Schema<AlertDocument>(
  {
    _id: String,
    event: { type: String, required: true },
    accountId: { type: String, required: true },
    personId: { type: Number, required: true },
    applicationAccountId: { type: String, required: true },
    applicationName: { type: String, required: true },
    at: { type: Date, required: true },
    dueAt: Date,
    owner: String,
  },
  { collection: 'alerts', versionKey: false, writeConcern: durable },
);
schema.index({ dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
schema.index({ at: 1 }, { expireAfterSeconds: keptSeconds });

export function createAlertRepository(connection: Connection): AlertRepository {
  const alerts = connection.model<AlertDocument>('Alert', schema);
  return {
    async insert({ id, ...alert }) {
      try {
        await alerts.create({ _id: id, ...alert, dueAt: alert.at });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    isDue: async (now, gone) => (await alerts.exists(dueOrLeft(now, gone))) !== null,
    async claim(now, gone, { owner, until }) {
      const lease = { $set: { dueAt: until, owner } };
      const found = await alerts.findOneAndUpdate(dueOrLeft(now, gone), lease, { sort: { dueAt: 1 } }).lean();
      return found ? toAlert(found) : undefined;
    },
    async settle(id) {
      await alerts.updateOne({ _id: id }, { $unset: { dueAt: '', owner: '' } });
    },
    async postpone(id, retryAt) {
      await alerts.updateOne({ _id: id }, { $set: { dueAt: retryAt }, $unset: { owner: '' } });
    },
  };
}

const toAlert = (stored: AlertDocument): Alert => ({
  id: stored._id,
  event: stored.event,
  accountId: stored.accountId,
  personId: stored.personId,
  applicationAccountId: stored.applicationAccountId,
  applicationName: stored.applicationName,
  at: stored.at,
});
