import type { Connection } from 'mongoose';
import type { RecordEventName } from '@itsm/shared/contracts/events';
import type { Person, RecordChanged } from '@itsm/shared/contracts/records';
import { createSequence } from '@itsm/shared/stores/mongo/sequence';
import { pushToOutbox, withOutbox } from '@itsm/shared/messages/outbox/outbox';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import { createMongoSource } from '@itsm/shared/api/rest/mongo-source';
import { auditLineOf } from './audit-line';
import type { AuditLine } from './audit-line';
import type { UriVault } from './uri-vault';
import { webhookStates } from './webhook';
import type { Webhook } from './webhook';
import {
  toAuditLine,
  toFields,
  toNewStreak,
  toStoredLine,
  toTombstone,
  toWebhook,
  webhookSchema,
} from './webhook.document';
import type { StoredAuditLine, WebhookDocument } from './webhook.document';
import { storedName } from '@itsm/shared/declared/stored';
import { webhookType } from './webhook-type';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';

export const webhooksCollection = 'webhooks';
/** Audit lines kept per webhook; the oldest are dropped. */
const linesKept = 500;
/** A day longer than deliveries are kept (30 days), for those that were requested just before the deletion. */
const tombstoneSeconds = 31 * 24 * 60 * 60;

/** Written atomically with a change of a webhook. */
export interface Accompaniment {
  readonly messages: readonly OutboxEntry[];
  /** The author of the change; null for the service itself. */
  readonly person: Person | null;
  /** The reason, when the change disables the webhook: the administrators get a mail with it. */
  readonly notifyDisabled?: string | undefined;
}

/** An event type, and the accounts that see it. */
type EventAudience = Pick<RecordChanged, 'event' | 'visibleTo'>;

/** Every change is one write, with its audit line and its outbox messages. */
export interface WebhookRepository {
  ensureIndexes(): Promise<void>;
  nextId(): Promise<number>;
  insert(webhook: Webhook, accompaniment: Accompaniment): Promise<void>;
  find(accountId: string, id: number): Promise<Webhook | undefined>;
  /** As `find`, including tombstones. */
  findEvenDeleted(accountId: string, id: number): Promise<Webhook | undefined>;
  listing(accountId: string): CollectionSource<Webhook>;
  /** The audit lines, oldest first; undefined for an unknown webhook. */
  findAudit(accountId: string, id: number): Promise<readonly AuditLine[] | undefined>;
  hasVerifiedUri(accountId: string, uri: string): Promise<boolean>;
  /** Webhooks in any state that are registered for one of the events; one indexed read. */
  findSubscribed(events: readonly EventAudience[]): Promise<readonly Webhook[]>;
  /** Compare-and-set on the version of `before`; undefined after a concurrent change. */
  replace(before: Webhook, after: Webhook, accompaniment: Accompaniment, now: Date): Promise<Webhook | undefined>;
  /** Adds messages to the outbox without changing the webhook; false for an unknown webhook. */
  publish(accountId: string, id: number, messages: readonly OutboxEntry[], now: Date): Promise<boolean>;
  /**
   * Deletes the webhook and leaves a tombstone for as long as its deliveries are kept, without code, audit and secrets
   * of the address. False after a concurrent change.
   */
  remove(webhook: Webhook, messages: readonly OutboxEntry[], now: Date): Promise<boolean>;
}

export function createWebhookRepository(connection: Connection, vault: UriVault): WebhookRepository {
  const model = connection.model<WebhookDocument>('Webhook', webhookSchema);
  const sequence = createSequence(connection);
  const live = { deletedAt: { $exists: false } } as const;
  const unread = { outbox: 0, countedAttempts: 0, audit: 0 } as const;
  const found = (document: WebhookDocument | null) => (document ? toWebhook(document, vault) : undefined);

  const lines = (before: Webhook | undefined, after: Webhook, person: Person | null): StoredAuditLine[] => {
    const line = auditLineOf(before, after, person);
    return line ? [toStoredLine(after.id, (before?.version ?? 0) + 1, line, vault)] : [];
  };

  return {
    async ensureIndexes() {
      const webhooks = connection.collection(webhooksCollection);
      await ensureIndex(webhooks, { accountId: 1, _id: 1 });
      await ensureIndex(webhooks, { event: 1, accountId: 1, state: 1 });
      await ensureIndex(webhooks, { accountId: 1, uriDigest: 1 });
      await ensureIndex(webhooks, { deletedAt: 1 }, { expireAfterSeconds: tombstoneSeconds });
    },
    nextId: () => sequence.next('Webhook'),
    async insert(webhook, { messages, person }) {
      const { id, version, createdAt } = webhook;
      const fields = { ...toFields(webhook, vault), ...toNewStreak(webhook), revision: version };
      const audit = lines(undefined, webhook, person);
      await model.create({ _id: id, ...fields, audit, ...withOutbox(messages, createdAt) });
    },
    find: async (accountId, id) =>
      found(
        await model
          .findOne({ _id: id, accountId, ...live })
          .select(unread)
          .lean(),
      ),
    findEvenDeleted: async (accountId, id) => found(await model.findOne({ _id: id, accountId }).select(unread).lean()),
    async findAudit(accountId, id) {
      const document = await model.findOne({ _id: id, accountId, ...live }, { audit: 1 }).lean();
      return document?.audit?.map((line) => toAuditLine(id, line, vault)) ?? (document ? [] : undefined);
    },
    listing: (accountId) =>
      createMongoSource<WebhookDocument, Webhook>({
        collection: connection.collection(webhooksCollection),
        where: { accountId, ...live },
        toRecord: (document) => toWebhook(document, vault),
        project: () => ({ ...unread }),
        storedName: (property) => storedName(webhookType, property),
      }),
    async hasVerifiedUri(accountId, uri) {
      const digests = vault.digests(accountId, uri);
      const same = { accountId, uriDigest: { $in: digests }, verified: true, ...live };
      return (await model.exists(same)) !== null;
    },
    async findSubscribed(events) {
      const byEvent = new Map<RecordEventName, Set<string>>();
      for (const { event, visibleTo } of events)
        byEvent.set(event, new Set([...(byEvent.get(event) ?? []), ...visibleTo]));
      const [first, ...others] = [...byEvent].map(([event, accountIds]) => ({
        event,
        accountId: { $in: [...accountIds] },
        state: { $in: [...webhookStates] },
      }));
      if (!first) return [];
      const documents = await connection
        .collection<WebhookDocument>(webhooksCollection)
        .find(others.length === 0 ? first : { $or: [first, ...others] }, { projection: unread })
        .toArray();
      return documents.map((document) => toWebhook(document, vault));
    },
    async replace(before, after, { messages, person, notifyDisabled }, now) {
      // Attempts update the streak concurrently, so a change writes it only to reset it.
      const reset = before.streak === after.streak ? undefined : after;
      const { $push, $min } = pushToOutbox(messages, now);
      const document = await model
        .findOneAndUpdate(
          { _id: before.id, accountId: before.accountId, revision: before.version, ...live },
          {
            $set: {
              ...toFields(after, vault),
              ...(reset && toNewStreak(reset)),
              ...(notifyDisabled !== undefined && { 'notices.disabled': notifyDisabled }),
            },
            ...(reset && { $unset: { failingSince: '' } }),
            $inc: { revision: 1 },
            $push: { ...$push, audit: { $each: lines(before, after, person), $slice: -linesKept } },
            $min: { ...$min, ...(notifyDisabled !== undefined && { 'notices.dueAt': now }) },
          },
          { returnDocument: 'after' },
        )
        .select(unread)
        .lean();
      return found(document);
    },
    async publish(accountId, id, messages, now) {
      const filter = { _id: id, accountId, ...live };
      const { matchedCount } = await model.updateOne(filter, pushToOutbox(messages, now));
      return matchedCount > 0;
    },
    async remove(webhook, messages, now) {
      const { id, accountId, version } = webhook;
      const { matchedCount } = await model.updateOne(
        { _id: id, accountId, revision: version, ...live },
        {
          $set: toTombstone(webhook, now, vault),
          $unset: { codeHash: '', codeExpiresAt: '', audit: '', notices: '' },
          $inc: { revision: 1 },
          ...pushToOutbox(messages, now),
        },
      );
      return matchedCount > 0;
    },
  };
}
