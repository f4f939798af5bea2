import type { RecordEventName } from '@itsm/shared/contracts/events';

export const webhookStates = ['unverified', 'active', 'disabled'] as const;
export type WebhookState = (typeof webhookStates)[number];

/** An outstanding proof of ownership: only the hash of its code is kept. */
export interface Verification {
  readonly codeHash: string;
  readonly expiresAt: Date;
}

/** Consecutive failed attempts (spec: Webhook verification and activity). */
export interface FailureStreak {
  readonly count: number;
  readonly startedAt: Date | null;
  /** Attempts that ended before this moment no longer count: the last success, re-enabling or change of address. */
  readonly countsFrom: Date;
  /** How many percent of the rule that disables the administrators were warned of: 0, 50 or 90. */
  readonly warned: number;
}

/** What an administrator may say about a webhook and need not. */
export interface WebhookOptions {
  readonly description: string | null;
  /** Addresses that get a mail about failures, separated by commas; null: every administrator of the account. */
  readonly mailExceptionsTo: string | null;
  /** Signs what is sent; null: nothing is signed. */
  readonly webhookPolicyId: number | null;
  /** Whether receivers find the policy's keys through the claim `iss`. */
  readonly openidConnectDiscovery: boolean;
  readonly source: string | null;
  readonly sourceID: string | null;
}

/** What holds where nothing was said. */
export const defaultOptions: WebhookOptions = {
  description: null,
  mailExceptionsTo: null,
  webhookPolicyId: null,
  openidConnectDiscovery: false,
  source: null,
  sourceID: null,
};

/** A subscription of one account to one event. `uri` is the address as it was given, credentials included. */
export interface Webhook extends WebhookOptions {
  readonly id: number;
  readonly accountId: string;
  readonly name: string;
  readonly event: RecordEventName;
  readonly uri: string;
  readonly disabled: boolean;
  readonly disabledReason: string | null;
  readonly verified: boolean;
  /** When the address that needs proof was given. */
  readonly addressGivenAt: Date;
  readonly verification: Verification | null;
  readonly streak: FailureStreak;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Grows with every change of the above (the streak apart), so that two changes at once cannot undo each other. */
  readonly revision: number;
  /** Present on a deleted webhook, whose address has no secrets. */
  readonly deletedAt?: Date;
}

/** Disabling goes before verification: a disabled webhook is `disabled` whether its address is proven or not. */
export const stateOf = ({ disabled, verified }: Pick<Webhook, 'disabled' | 'verified'>): WebhookState =>
  disabled ? 'disabled' : verified ? 'active' : 'unverified';

export const emptyStreak = (countsFrom: Date): FailureStreak => ({ count: 0, startedAt: null, countsFrom, warned: 0 });

/** 20 consecutive failures over more than a week disable a webhook (spec: Webhook verification and activity). */
const failures = 20;
const weekMilliseconds = 7 * 24 * 60 * 60 * 1_000;

type Streak = Pick<FailureStreak, 'count' | 'startedAt'>;

export const breaksRule = ({ count, startedAt }: Streak, at: Date): boolean =>
  startedAt !== null && count >= failures && at.getTime() - startedAt.getTime() > weekMilliseconds;

/** The moment after which a failure disables the webhook, when there were 20 by then; null while nothing fails. */
export const wouldBeDisabledAt = ({
  disabled,
  streak: { startedAt },
}: Pick<Webhook, 'disabled' | 'streak'>): Date | null =>
  disabled ? null : startedAt && new Date(startedAt.getTime() + weekMilliseconds);

const levels = [90, 50] as const;
export type WarningLevel = (typeof levels)[number];

/** How many percent of the rule are fulfilled, in both number and time: 90, 50 or less. */
export function warningOf({ count, startedAt }: Streak, at: Date): WarningLevel | undefined {
  if (startedAt === null) return undefined;
  const lasting = at.getTime() - startedAt.getTime();
  const percent = Math.min(count / failures, lasting / weekMilliseconds) * 100;
  return levels.find((level) => percent >= level);
}
