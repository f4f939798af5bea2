import { deliveryIdOf } from '../deliveries/delivery.message';
import type { OutcomeRepository } from './outcome.repository';
import type { EventLog } from '../deliveries/event-log.repository';
import type { SkippedRepository } from '../deliveries/skipped.repository';
import type { WebhookService } from '../webhooks/webhook.service';
import { explain } from './explanation';
import type { Explanation } from './explanation';

interface Dependencies {
  readonly webhooks: Pick<WebhookService, 'find' | 'audit'>;
  readonly events: EventLog;
  readonly outcomes: OutcomeRepository;
  readonly skipped: SkippedRepository;
}

/**
 * Explains why a webhook was called for an event, or was not. An event that the account does not see is explained like
 * an unknown one.
 */
export type Explainer = (accountId: string, webhookId: number, eventId: string) => Promise<Explanation>;

export function createExplainer({ webhooks, events, outcomes, skipped }: Dependencies): Explainer {
  return async (accountId, webhookId, eventId) => {
    const webhook = await webhooks.find(accountId, webhookId);
    const deliveryId = deliveryIdOf(eventId, webhookId);
    const [event, outcome, redeliveredAt, audit] = await Promise.all([
      events.find(accountId, eventId),
      outcomes.find(accountId, deliveryId),
      skipped.redeliveredAt(deliveryId),
      webhooks.audit(accountId, webhookId),
    ]);
    return explain({ webhook, eventId, event, deliveryId, outcome, redeliveredAt, audit });
  };
}
