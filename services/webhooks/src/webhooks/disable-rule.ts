import type { FailureStreak, Webhook } from './webhook';

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
