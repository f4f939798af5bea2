import type { GivenOf, RecordOf } from '@itsm/shared/declared/record-of';
import type { webhookType } from './webhook-type';

export const webhookStates = ['unverified', 'active', 'disabled'] as const;
export type WebhookState = (typeof webhookStates)[number];

/** An outstanding verification; only the hash of its code is stored. */
export interface Verification {
  readonly codeHash: string;
  readonly expiresAt: Date;
}

/** Consecutive failed attempts (spec: Webhook verification and activity). */
export interface FailureStreak {
  readonly count: number;
  readonly startedAt: Date | null;
  /** Attempts before this time do not count. It is the last success, re-enabling or change of address. */
  readonly countsFrom: Date;
  /** The highest warning sent, in percent of the rule that disables the webhook: 0, 50 or 90. */
  readonly warned: number;
}

/** What is declared of a webhook. */
export type WebhookSettings = RecordOf<typeof webhookType>;

/** What a caller has given for a webhook. */
export type WebhookInput = GivenOf<typeof webhookType>;

/** A subscription of one account to one event. `uri` is the address as given, with credentials. */
export interface Webhook extends WebhookSettings {
  readonly id: number;
  readonly accountId: string;
  readonly verified: boolean;
  /** When the present address was set. */
  readonly addressGivenAt: Date;
  readonly verification: Verification | null;
  readonly streak: FailureStreak;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Incremented by every change of the above except the streak, for optimistic concurrency. */
  readonly version: number;
  /** Only on a tombstone, whose address has no secrets. */
  readonly deletedAt?: Date;
}

/** `disabled` takes precedence: a disabled webhook is `disabled` whether its address is verified or not. */
export const stateOf = ({ disabled, verified }: Pick<Webhook, 'disabled' | 'verified'>): WebhookState =>
  disabled ? 'disabled' : verified ? 'active' : 'unverified';

export const emptyStreak = (countsFrom: Date): FailureStreak => ({ count: 0, startedAt: null, countsFrom, warned: 0 });

/** 20 consecutive failures over more than a week disable a webhook (spec: Webhook verification and activity). */
const failures = 20;
const weekMilliseconds = 7 * 24 * 60 * 60 * 1_000;

type Streak = Pick<FailureStreak, 'count' | 'startedAt'>;

export const breaksRule = ({ count, startedAt }: Streak, at: Date): boolean =>
  startedAt !== null && count >= failures && at.getTime() - startedAt.getTime() > weekMilliseconds;

/** The time from which a failure disables the webhook, provided there were 20; null while nothing fails. */
export const wouldBeDisabledAt = ({
  disabled,
  streak: { startedAt },
}: Pick<Webhook, 'disabled' | 'streak'>): Date | null =>
  disabled ? null : startedAt && new Date(startedAt.getTime() + weekMilliseconds);

const levels = [90, 50] as const;
export type WarningLevel = (typeof levels)[number];

/** The warning level: 90 or 50 when that percentage of both number and time is reached, else undefined. */
export function warningOf({ count, startedAt }: Streak, at: Date): WarningLevel | undefined {
  if (startedAt === null) return undefined;
  const lasting = at.getTime() - startedAt.getTime();
  const percent = Math.min(count / failures, lasting / weekMilliseconds) * 100;
  return levels.find((level) => percent >= level);
}
