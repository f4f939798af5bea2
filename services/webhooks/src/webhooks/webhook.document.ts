import { Schema } from 'mongoose';
import type { RecordEventName } from '@itsm/shared/contracts/events';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { outboxPaths } from '@itsm/shared/messages/outbox/outbox';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import { fromStored, storedPaths, toStored } from '@itsm/shared/declared/stored';
import type { WarningLevel, Webhook, WebhookState } from './webhook';
import type { AuditChange, AuditLine } from './audit-line';
import type { UriVault } from './uri-vault';
import { stateOf } from './webhook';
import { webhookType } from './webhook-type';
import { maskUri } from './webhook-uri';

/** The part of a stored webhook that mirrors the domain object; beside these members it has the declared fields. */
interface WebhookFields {
  accountId: string;
  event: RecordEventName;
  sealedUri: string;
  uriDigest: string;
  disabled: boolean;
  verified: boolean;
  /** Derived from the two above; stored for the index of the fan-out. */
  state: WebhookState | 'deleted';
  addressGivenAt: Date;
  codeHash: string | null;
  codeExpiresAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A stored audit line. Its changes are sealed, because they contain addresses. */
export interface StoredAuditLine {
  readonly id: number;
  readonly createdAt: Date;
  readonly action: AuditLine['action'];
  readonly person: AuditLine['person'];
  readonly sealedChanges: string;
}

/** What the next mail to the administrators reports; see `webhook-notice.repository.ts`. */
export interface StoredNotices {
  /** Failed attempts not reported by a mail yet, and since when. */
  count?: number;
  since?: Date;
  warning?: WarningLevel;
  /** Why the webhook was disabled. */
  disabled?: string;
  /** Present while a notice is pending. */
  dueAt?: Date;
  /** Earliest time of the next mail; "disabled" is exempt. */
  notBefore?: Date;
  leaseUntil?: Date;
  /** The process that holds the lease. */
  owner?: string;
  fence?: number;
  /** How many mails were sent. */
  sent?: number;
}

export interface WebhookDocument extends WebhookFields {
  _id: number;
  lastError: string | null;
  failureCount: number;
  /** Absent while nothing fails. */
  failingSince?: Date;
  countsFrom: Date;
  /** Idempotency keys of the failed attempts counted last. */
  countedAttempts: string[];
  warned: number;
  notices?: StoredNotices;
  /** Excluded from reads of the webhook. */
  audit?: StoredAuditLine[];
  revision: number;
  deletedAt?: Date;
  outbox?: OutboxEntry[];
  outboxAt?: Date;
}

const text = { type: String, default: null };
const date = { type: Date, default: null };

export const webhookSchema = new Schema<WebhookDocument>(
  {
    _id: { type: Number, required: true },
    accountId: { type: String, required: true },
    ...storedPaths(webhookType),
    sealedUri: { type: String, required: true },
    uriDigest: { type: String, required: true },
    verified: { type: Boolean, required: true },
    state: { type: String, required: true },
    addressGivenAt: { type: Date, required: true },
    codeHash: text,
    codeExpiresAt: date,
    lastError: text,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    failureCount: { type: Number, default: 0 },
    failingSince: { type: Date, default: undefined },
    countsFrom: { type: Date, required: true },
    countedAttempts: { type: [String], default: [] },
    warned: { type: Number, default: 0 },
    notices: { type: Schema.Types.Mixed, default: undefined },
    audit: { type: [Schema.Types.Mixed], default: undefined },
    revision: { type: Number, required: true },
    deletedAt: { type: Date, default: undefined },
    ...outboxPaths,
  },
  { collection: 'webhooks', versionKey: false, autoIndex: false, autoCreate: false, writeConcern: durable },
);

/** The fields that a change writes. Streak and last error are not among them: attempts update them concurrently. */
export const toFields = (webhook: Webhook, vault: UriVault): WebhookFields => ({
  accountId: webhook.accountId,
  event: webhook.event,
  disabled: webhook.disabled,
  ...toStored(webhookType, webhook),
  sealedUri: vault.seal(webhook.id, webhook.uri),
  uriDigest: vault.digest(webhook.accountId, webhook.uri),
  verified: webhook.verified,
  state: stateOf(webhook),
  addressGivenAt: webhook.addressGivenAt,
  codeHash: webhook.verification?.codeHash ?? null,
  codeExpiresAt: webhook.verification?.expiresAt ?? null,
  createdAt: webhook.createdAt,
  updatedAt: webhook.updatedAt,
});

/** The fields of a reset streak; unset `failingSince` in the same update. */
export const toNewStreak = ({ streak, lastError }: Webhook) => ({
  failureCount: streak.count,
  countsFrom: streak.countsFrom,
  warned: streak.warned,
  lastError,
});

/** The tombstone of a deleted webhook. Its masked address stays visible, but proves nothing for other webhooks. */
export const toTombstone = ({ id, uri }: Webhook, deletedAt: Date, vault: UriVault) => ({
  deletedAt,
  state: 'deleted' as const,
  disabled: true,
  verified: false,
  sealedUri: vault.seal(id, maskUri(uri)),
  // Of no address.
  uriDigest: '-',
});

export const toWebhook = (document: WebhookDocument, vault: UriVault): Webhook => ({
  id: document._id,
  accountId: document.accountId,
  ...fromStored(webhookType, document),
  uri: vault.open(document._id, document.sealedUri),
  verified: document.verified,
  addressGivenAt: document.addressGivenAt,
  verification:
    document.codeHash !== null && document.codeExpiresAt !== null
      ? { codeHash: document.codeHash, expiresAt: document.codeExpiresAt }
      : null,
  streak: {
    count: document.failureCount,
    startedAt: document.failingSince ?? null,
    countsFrom: document.countsFrom,
    warned: document.warned ?? 0,
  },
  lastError: document.lastError,
  createdAt: document.createdAt,
  updatedAt: document.updatedAt,
  version: document.revision,
  ...(document.deletedAt && { deletedAt: document.deletedAt }),
});

export const toStoredLine = (
  webhookId: number,
  id: number,
  { changes, ...line }: Omit<AuditLine, 'id'>,
  vault: UriVault,
): StoredAuditLine => ({ id, ...line, sealedChanges: vault.sealText(webhookId, JSON.stringify(changes)) });

export const toAuditLine = (
  webhookId: number,
  { sealedChanges, ...line }: StoredAuditLine,
  vault: UriVault,
): AuditLine => ({ ...line, changes: JSON.parse(vault.openText(webhookId, sealedChanges)) as AuditChange[] });
