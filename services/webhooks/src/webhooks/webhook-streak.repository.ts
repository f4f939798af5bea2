import type { Connection } from 'mongoose';
import { createBatcher } from '@itsm/shared/stores/mongo/batcher';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import type { WebhookDocument } from './webhook.document';
import { webhooksCollection } from './webhook.repository';
import type { WarningLevel } from './webhook';

/** A failed attempt; `key` is its idempotency key. */
export interface FailedAttempt {
  readonly key: string;
  readonly at: Date;
  readonly error: string;
}

const keysKept = 100;
/** Successes are written at most this often, because a busy webhook has many in a second. */
const exactToMilliseconds = 1_000;

/** Counts attempts in the webhook's document. Each call is one atomic, idempotent update. */
export interface FailureStreakRepository {
  /** Counts the failure and adds it to the pending notices, in one write. */
  addFailure(accountId: string, webhookId: number, attempt: FailedAttempt, now: Date): Promise<void>;
  /** Adds a warning to the pending notices, once per level and streak. */
  warn(accountId: string, webhookId: number, level: WarningLevel, now: Date): Promise<void>;
  clear(accountId: string, webhookId: number, successAt: Date): Promise<void>;
}

export function createFailureStreakRepository(connection: Connection): FailureStreakRepository {
  const webhooks = connection.collection<WebhookDocument>(webhooksCollection);
  const webhook = (accountId: string, id: number, at: Date) => ({
    _id: id,
    accountId,
    deletedAt: { $exists: false },
    countsFrom: { $lte: at },
  });

  const clearOf = ({ accountId, webhookId, at }: Success) => [
    {
      updateOne: {
        // A success from before the streak is a repeat or a late report; it must not end the streak.
        filter: {
          ...webhook(accountId, webhookId, at),
          disabled: false,
          lastError: { $ne: null },
          $or: [{ failingSince: { $exists: false } }, { failingSince: { $lte: at } }],
        },
        update: {
          $set: { failureCount: 0, warned: 0 as const, countsFrom: at, lastError: null },
          $unset: { failingSince: '' as const },
        },
      },
    },
    {
      updateOne: {
        // Raises `countsFrom`, so that late reports of failures before this success do not count.
        filter: {
          ...webhook(accountId, webhookId, new Date(at.getTime() - exactToMilliseconds)),
          failingSince: { $exists: false },
        },
        update: { $max: { countsFrom: at } },
      },
    },
  ];
  const clear = createBatcher<Success, void>(async (successes) => {
    await webhooks.bulkWrite(lastOfEach(successes).flatMap(clearOf), { writeConcern: durable });
    return [];
  });

  return {
    async addFailure(accountId, webhookId, { key, at, error }, now) {
      const uncounted = { ...webhook(accountId, webhookId, at), countedAttempts: { $ne: key } };
      const $set = { lastError: error };
      const notice = { $inc: { 'notices.count': 1 }, $min: { 'notices.since': at, 'notices.dueAt': now } };
      const $push = { countedAttempts: { $each: [key], $slice: -keysKept } };
      const counted = await webhooks.updateOne(
        { ...uncounted, state: 'active' },
        {
          $set,
          $push,
          $inc: { ...notice.$inc, failureCount: 1 },
          $min: { ...notice.$min, failingSince: at },
        },
        { writeConcern: durable },
      );
      if (counted.matchedCount > 0) return;
      // webhook.verify failed: the error is shown, but an unverified webhook is not disabled.
      await webhooks.updateOne(
        { ...uncounted, state: 'unverified' },
        { $set, $push, ...notice },
        { writeConcern: durable },
      );
    },
    async warn(accountId, webhookId, level, now) {
      await webhooks.updateOne(
        {
          _id: webhookId,
          accountId,
          state: 'active',
          failingSince: { $exists: true },
          warned: { $not: { $gte: level } },
        },
        { $set: { warned: level, 'notices.warning': level }, $min: { 'notices.dueAt': now } },
        { writeConcern: durable },
      );
    },
    clear: (accountId, webhookId, at) => clear({ accountId, webhookId, at }),
  };
}

interface Success {
  readonly accountId: string;
  readonly webhookId: number;
  readonly at: Date;
}

/** Only the last success of each webhook matters. */
function lastOfEach(successes: readonly Success[]): Success[] {
  const last = new Map<number, Success>();
  for (const success of successes) {
    const known = last.get(success.webhookId);
    if (!known || known.at < success.at) last.set(success.webhookId, success);
  }
  return [...last.values()];
}
