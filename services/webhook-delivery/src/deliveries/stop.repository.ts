import { Schema } from 'mongoose';
import type { Connection } from 'mongoose';
import type { WebhookStopped } from '@itsm/shared/contracts/deliveries';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { isDuplicateKey } from '@itsm/shared/stores/mongo/duplicate-key';
import type { Delivery } from './delivery';
import { ensureModelIndexes } from '@itsm/shared/stores/mongo/ensure-index';

/** The latest stop of each webhook. It applies to deliveries that were requested before it but arrive after it. */
export interface StopRepository {
  ensureIndexes(): Promise<void>;
  remember(stopped: WebhookStopped): Promise<void>;
  /** Why the delivery must not be made; undefined when it may be. */
  reasonAgainst(delivery: Delivery): Promise<string | undefined>;
  /** Whether the webhook was deleted or got another address since the delivery was requested. */
  addressIsGone(delivery: Delivery): Promise<boolean>;
  /** Reasons by delivery id; deliveries that may be made are absent. */
  reasonsAgainst(deliveries: readonly Delivery[]): Promise<ReadonlyMap<string, string>>;
}

interface StopDocument {
  /** The latest stop that ended the address: deletion or a new address. */
  readonly addressGoneAt?: Date;
  readonly _id: string;
  readonly at: Date;
  readonly reason: string;
}

const schema = new Schema<StopDocument>(
  {
    _id: { type: String, required: true },
    at: { type: Date, required: true },
    reason: { type: String, required: true },
    addressGoneAt: Date,
  },
  { versionKey: false, strict: 'throw', autoIndex: false, writeConcern: durable },
);
schema.index({ at: 1 }, { name: 'kept_30_days', expireAfterSeconds: 30 * 24 * 60 * 60 });

const endsAddress: ReadonlySet<WebhookStopped['reason']> = new Set(['deleted', 'uri_changed'] as const);

const keyOf = (accountId: string, webhookId: number, event = '*'): string => `${accountId}/${webhookId}/${event}`;

export function createStopRepository(connection: Connection): StopRepository {
  const stops = connection.model<StopDocument>('Stop', schema, 'stops');
  return {
    ensureIndexes: () => ensureModelIndexes(stops),
    async remember({ accountId, webhookId, event, at, reason }) {
      const _id = keyOf(accountId, webhookId, event);
      const time = new Date(at);
      try {
        // If a later stop is stored, the filter does not match, and the upsert fails with a duplicate key.
        const addressGone = endsAddress.has(reason) ? { $max: { addressGoneAt: time } } : {};
        await stops.updateOne(
          { _id, at: { $lt: time } },
          { $set: { at: time, reason }, ...addressGone },
          { upsert: true },
        );
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        // A later stop is stored. Still record when the address ended.
        if (endsAddress.has(reason)) await stops.updateOne({ _id }, { $max: { addressGoneAt: time } });
      }
    },
    async addressIsGone({ accountId, webhookId, requestedAt }) {
      const found = await stops
        .findOne({ _id: keyOf(accountId, webhookId), addressGoneAt: { $gt: requestedAt } })
        .lean();
      return found !== null;
    },
    reasonAgainst: async (delivery) => (await reasonsAgainst([delivery])).get(delivery.id),
    reasonsAgainst,
  };

  async function reasonsAgainst(deliveries: readonly Delivery[]): Promise<ReadonlyMap<string, string>> {
    const reasons = new Map<string, string>();
    const keys = new Set(deliveries.flatMap(keysOf));
    if (keys.size === 0) return reasons;
    const found = await stops.collection.find<StopDocument>({ _id: { $in: [...keys] } as never }).toArray();
    if (found.length === 0) return reasons;
    const byKey = new Map(found.map((stop) => [stop._id, stop]));
    for (const delivery of deliveries) {
      const stop = keysOf(delivery)
        .map((key) => byKey.get(key))
        .find((candidate) => candidate && candidate.at > delivery.requestedAt);
      if (stop) reasons.set(delivery.id, stop.reason);
    }
    return reasons;
  }
}

const keysOf = ({ accountId, webhookId, event }: Delivery): string[] => [
  keyOf(accountId, webhookId),
  keyOf(accountId, webhookId, event),
];
