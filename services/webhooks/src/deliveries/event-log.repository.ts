import type { Connection } from 'mongoose';
import type { RecordChanged } from '@itsm/shared/contracts/records';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import { createGroupInsert } from '@itsm/shared/stores/mongo/group-insert';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { createMongoSource } from '@itsm/shared/api/rest/mongo-source';
import type { WebhookState } from '../webhooks/webhook';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';

/** A webhook registered for the event when it was matched, and its state then. */
export interface Subscriber {
  readonly webhookId: number;
  readonly state: WebhookState;
}

/** A snapshot of an event when it was matched: the source of later explanations. */
export interface SeenEvent {
  readonly id: string;
  readonly event: string;
  readonly objectId: number;
  readonly visibleTo: readonly string[];
  readonly occurredAt: Date;
  readonly matchedAt: Date;
  readonly subscribers: readonly Subscriber[];
}

/** Events of the last 30 days (TTL index). */
export interface EventLog {
  ensureIndexes(): Promise<void>;
  /**
   * Idempotent: a repeat keeps the first record. An event is noted again for accounts whose deliveries had to wait,
   * which adds their webhooks.
   */
  note(change: RecordChanged, subscribers: readonly Subscriber[], matchedAt: Date): Promise<void>;
  /** Undefined for an unknown event, or one that the account does not see. */
  find(accountId: string, eventId: string): Promise<SeenEvent | undefined>;
  /** The events that the account sees. */
  listing(accountId: string): CollectionSource<SeenEvent>;
}

type EventDocument = Omit<SeenEvent, 'id'> & { readonly _id: string };

const keptSeconds = 30 * 24 * 60 * 60;

export function createEventLog(connection: Connection): EventLog {
  const events = connection.collection<EventDocument>('seen_events');
  const add = createGroupInsert(events);
  return {
    async ensureIndexes() {
      await ensureIndex(events, { visibleTo: 1, _id: 1 });
      for (const property of ['event', 'objectId', 'matchedAt', 'occurredAt'])
        await ensureIndex(events, { visibleTo: 1, [property]: 1, _id: 1 });
      await ensureIndex(events, { matchedAt: 1 }, { name: 'kept_30_days', expireAfterSeconds: keptSeconds });
    },
    async note({ eventId, event, object, visibleTo, at }, subscribers, matchedAt) {
      const about = { event, objectId: object.id, visibleTo, occurredAt: new Date(at), matchedAt };
      if ((await unlessTaken(add({ _id: eventId, ...about, subscribers }))) || subscribers.length === 0) return;
      const webhookIds = subscribers.map(({ webhookId }) => webhookId);
      await events.updateOne(
        { _id: eventId, 'subscribers.webhookId': { $nin: webhookIds } },
        { $push: { subscribers: { $each: [...subscribers] } } },
        { writeConcern: durable },
      );
    },
    async find(accountId, eventId) {
      const found = await events.findOne({ _id: eventId, visibleTo: accountId });
      return found ? toSeenEvent(found) : undefined;
    },
    listing: (accountId) =>
      createMongoSource<EventDocument, SeenEvent>({
        collection: connection.collection('seen_events'),
        where: { visibleTo: accountId },
        toRecord: toSeenEvent,
      }),
  };
}

const toSeenEvent = ({ _id, ...event }: EventDocument): SeenEvent => ({ id: _id, ...event });
