import type { Connection } from 'mongoose';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import type { Gone, Lease } from '@itsm/shared/stores/presence/presence';
import type { WarningLevel, Webhook } from './webhook';
import type { UriVault } from './uri-vault';
import type { StoredNotices, WebhookDocument } from './webhook.document';
import { toWebhook } from './webhook.document';
import { webhooksCollection } from './webhook.repository';
import { ensureIndex } from '@itsm/shared/stores/mongo/ensure-index';

/** The pending notices of a webhook, aggregated since the last mail. */
export interface Notice {
  readonly webhook: Webhook;
  /** Failed attempts not reported by a mail yet. */
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly warning: WarningLevel | null;
  /** Why it was disabled; null when it was not. */
  readonly disabled: string | null;
  /** The number of the mail within the webhook: a retry carries the same Message-ID. */
  readonly number: number;
}

/** A notice that one process may send until its lease expires. */
export interface ClaimedNotice extends Notice {
  readonly fence: number;
}

/** Notices are stored in the webhook's document, in the same write as the failure they report. */
export interface NoticeRepository {
  ensureIndexes(): Promise<void>;
  /** Whether there is something to claim. */
  isDue(now: Date, gone: Gone): Promise<boolean>;
  /**
   * Leases a notice that may be sent now: "disabled" at once, failures when the previous mail is old enough. Leases of
   * dead processes (`gone`) are ignored.
   */
  claim(now: Date, gone: Gone, lease: Lease): Promise<ClaimedNotice | undefined>;
  /** Removes what the mail reported; later notices wait until `notBefore`. Does nothing when the lease was lost. */
  settle(claimed: ClaimedNotice, notBefore: Date): Promise<void>;
  /** Back-off: releases the notice until `retryAt`. */
  postpone(claimed: ClaimedNotice, retryAt: Date): Promise<void>;
}

const nothing = '' as const;

/** Writes without majority write concern, each with the reason why losing one is harmless. */
export const forgettable = { claim: 'a lease that is lost ends early', postpone: 'the mail is tried earlier' };

function mayBeSent(now: Date, gone: Gone): object {
  const passed = (path: string) => [{ [path]: { $exists: false } }, { [path]: { $lte: now } }];
  const left = gone.length > 0 ? [{ 'notices.owner': { $in: [...gone] } }] : [];
  const isFree = { $or: [...passed('notices.leaseUntil'), ...left] };
  const isDue = { $or: [{ 'notices.disabled': { $exists: true } }, ...passed('notices.notBefore')] };
  return { 'notices.dueAt': { $lte: now }, $and: [isFree, isDue] };
}

export function createNoticeRepository(connection: Connection, vault: UriVault): NoticeRepository {
  const webhooks = connection.collection<WebhookDocument>(webhooksCollection);
  const leased = ({ webhook, fence }: ClaimedNotice) => ({ _id: webhook.id, 'notices.fence': fence });

  return {
    async ensureIndexes() {
      await ensureIndex(
        webhooks,
        { 'notices.dueAt': 1 },
        { name: 'notices_due', partialFilterExpression: { 'notices.dueAt': { $exists: true } } },
      );
    },
    isDue: async (now, gone) => (await webhooks.findOne(mayBeSent(now, gone), { projection: { _id: 1 } })) !== null,
    async claim(now, gone, { owner, until }) {
      const found = await webhooks.findOneAndUpdate(
        mayBeSent(now, gone),
        { $set: { 'notices.leaseUntil': until, 'notices.owner': owner }, $inc: { 'notices.fence': 1 } },
        {
          sort: { 'notices.dueAt': 1 },
          returnDocument: 'after',
          projection: { outbox: 0, audit: 0, countedAttempts: 0 },
        },
      );
      return found ? toNotice(found, found.notices ?? {}, vault) : undefined;
    },
    async settle(claimed, notBefore) {
      const { failures, warning, disabled } = claimed;
      const sent = {
        $inc: { 'notices.sent': 1 },
        ...(disabled === null && { $set: { 'notices.notBefore': notBefore } }),
      };
      const done = {
        'notices.leaseUntil': nothing,
        'notices.owner': nothing,
        'notices.since': nothing,
        ...(disabled !== null && { 'notices.disabled': nothing }),
      };
      const nothingElse = {
        'notices.count': failures === 0 ? { $in: [null, 0] } : failures,
        'notices.warning': warning,
        'notices.disabled': disabled,
      };
      const all = { ...done, 'notices.dueAt': nothing, 'notices.count': nothing, 'notices.warning': nothing };
      const ended = await webhooks.updateOne(
        { ...leased(claimed), ...(nothingElse as object) },
        { ...sent, $unset: all },
        { writeConcern: durable },
      );
      if (ended.matchedCount > 0) return;
      // More notices have come in: remove only what the mail reported.
      if (warning !== null)
        await webhooks.updateOne(
          { ...leased(claimed), 'notices.warning': warning },
          { $unset: { 'notices.warning': '' } },
          { writeConcern: durable },
        );
      await webhooks.updateOne(
        leased(claimed),
        { ...sent, $inc: { ...sent.$inc, 'notices.count': -failures }, $unset: done },
        { writeConcern: durable },
      );
    },
    async postpone(claimed, retryAt) {
      await webhooks.updateOne(leased(claimed), {
        $set: { 'notices.leaseUntil': retryAt },
        $unset: { 'notices.owner': nothing },
      });
    },
  };
}

function toNotice(document: WebhookDocument, notices: StoredNotices, vault: UriVault): ClaimedNotice {
  return {
    webhook: toWebhook(document, vault),
    failures: notices.count ?? 0,
    failingSince: notices.since ?? null,
    warning: notices.warning ?? null,
    disabled: notices.disabled ?? null,
    number: (notices.sent ?? 0) + 1,
    fence: notices.fence ?? 0,
  };
}
