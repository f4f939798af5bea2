import type { AttemptFinished } from '@itsm/shared/contracts/deliveries';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { WebhookService } from '../webhooks/webhook.service';
import { breaksRule, warningOf } from '../webhooks/webhook';
import type { Webhook } from '../webhooks/webhook';
import type { FailureStreakRepository } from '../webhooks/webhook-streak.repository';
import type { OutcomeRepository } from './outcome.repository';

interface Dependencies {
  readonly streaks: FailureStreakRepository;
  readonly outcomes: OutcomeRepository;
  readonly webhooks: Pick<WebhookService, 'disableWhen' | 'peek'>;
  /** Makes the notifier send pending mails at once. */
  readonly onNotice: () => void;
  readonly now: Clock;
}

/** Records how attempts ended. Idempotent by delivery and attempt number. */
export function createAttemptService({ streaks, outcomes, webhooks, onNotice, now }: Dependencies) {
  return async function takeNotice(attempt: AttemptFinished): Promise<void> {
    const { accountId, webhookId, deliveryId, test } = attempt;
    const at = new Date(attempt.at);
    await outcomes.note(attempt);
    if (attempt.outcome === 'delivered' && !test) await streaks.clear(accountId, webhookId, at);
    if (!countsAsFailure(attempt)) return;
    const failed = { key: `${deliveryId}:${attempt.attempt}`, at, error: errorOf(attempt) };
    await streaks.addFailure(accountId, webhookId, failed, now());
    await webhooks.disableWhen(accountId, webhookId, (webhook) => disablingReason(webhook, attempt));
    await warn(accountId, webhookId, at);
    onNotice();
  };

  async function warn(accountId: string, webhookId: number, at: Date): Promise<void> {
    const webhook = await webhooks.peek(accountId, webhookId);
    const level = webhook && !webhook.disabled ? warningOf(webhook.streak, at) : undefined;
    if (webhook && level !== undefined && webhook.streak.warned < level)
      await streaks.warn(accountId, webhookId, level, now());
  }
}

const gone = 410;

/** Test deliveries and our own faults do not count against the receiver. */
const countsAsFailure = ({ outcome, fault, test }: AttemptFinished): boolean =>
  outcome === 'failed' && fault === 'receiver' && !test;

const errorOf = ({ error, status }: AttemptFinished): string =>
  error ?? (status === null ? 'The receiver did not answer' : `The receiver answered with status ${status}`);

/** Why this failed attempt disables the webhook; undefined when it does not (spec: Webhook verification and activity). */
function disablingReason(webhook: Webhook, { status, at }: AttemptFinished): string | undefined {
  const { count, startedAt, countsFrom } = webhook.streak;
  const endedAt = new Date(at);
  if (webhook.disabled || endedAt < countsFrom) return undefined;
  if (status === gone) return 'The receiver answered 410 Gone';
  // Only failures of an active webhook are counted, and a new address starts from zero: an unverified one has no streak.
  if (startedAt === null || !breaksRule(webhook.streak, endedAt)) return undefined;
  return `${count} consecutive failures since ${startedAt.toISOString()}`;
}
