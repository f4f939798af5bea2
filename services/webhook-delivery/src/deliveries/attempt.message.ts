import type { AttemptFinished } from '@itsm/shared/contracts/deliveries';
import type { Attempt, Delivery } from './delivery';

/** The `AttemptFinished` message for the webhooks service; `next`: time of the next attempt, null when it was the last. */
export function toAttemptFinished(delivery: Delivery, attempt: Attempt, next: Date | null, now: Date): AttemptFinished {
  const { id: deliveryId, accountId, webhookId, test } = delivery;
  const { number, outcome, fault, status, error } = attempt;
  const about = { deliveryId, attempt: number, accountId, webhookId, test };
  const ends = { final: next === null, nextAttemptAt: next?.toISOString() ?? null };
  return { ...about, at: now.toISOString(), outcome, fault, status, error, ...ends };
}
