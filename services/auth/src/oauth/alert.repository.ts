import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import { leasing } from '@itsm/shared/stores/presence/presence';
import type { Leasable } from '@itsm/shared/stores/presence/presence';
import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import type { Alert } from './alert';

interface AlertDocument extends Omit<Alert, 'id'> {
  readonly _id: string;
  /** When it may be sent next; absent once sent. */
  readonly dueAt?: Date;
  /** The process that holds the lease until `dueAt`. */
  readonly owner?: string;
}

export interface AlertRepository extends Leasable<Alert> {
  /** Idempotent by id. */
  insert(alert: Alert): Promise<void>;
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
    ...leasing(alerts, toAlert),
    async insert({ id, ...alert }) {
      await unlessTaken(alerts.create({ _id: id, ...alert, dueAt: alert.at }));
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
