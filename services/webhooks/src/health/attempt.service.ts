import type { AttemptFinished } from '@itsm/shared/contracts/deliveries';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { WebhookService } from '../webhooks/webhook.service';
import { warningOf } from '../webhooks/disable-rule';
import { countsAsFailure, disablingReason, errorOf } from './failure-streak';
import type { FailureStreakRepository } from '../webhooks/webhook-streak.repository';
import type { OutcomeRepository } from './outcome.repository';

interface Dependencies {
  readonly streaks: FailureStreakRepository;
  readonly outcomes: OutcomeRepository;
  readonly webhooks: Pick<WebhookService, 'disableWhen' | 'peek'>;
  /** Has waiting mails sent at once. */
  readonly onNotice: () => void;
  readonly now: Clock;
}

/** Takes notice of how attempts ended; a repeated notice changes nothing. */
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
