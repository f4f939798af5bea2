import { randomUUID } from 'node:crypto';
import { skippedRedelivered } from '@itsm/shared/contracts/deliveries';
import type { SealedTarget } from '@itsm/shared/contracts/deliveries';
import { AppError, notFound } from '@itsm/shared/base/errors/app-error';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { outboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import { stateOf } from '../webhooks/webhook';
import type { Webhook } from '../webhooks/webhook';
import type { WebhookRepository } from '../webhooks/webhook.repository';
import type { WebhookService } from '../webhooks/webhook.service';
import type { Period, SkippedRepository, SkippedSummary } from './skipped.repository';

interface Dependencies {
  readonly webhooks: Pick<WebhookService, 'find'>;
  readonly store: Pick<WebhookRepository, 'publish'>;
  readonly skipped: SkippedRepository;
  /** The present address of the webhook, and how its calls are signed. */
  readonly targetOf: (webhook: Webhook) => SealedTarget;
  readonly sealer: Sealer;
  /** Makes the outbox send waiting messages at once. */
  readonly nudge: () => void;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Selects skipped deliveries by time; without `from` and `until`, all of them. A preview only counts them. */
interface Selection {
  readonly preview: boolean;
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
}

export interface SkippedService {
  /** Requests the redelivery of skipped deliveries, oldest first, to the present address. 409 unless the webhook is active. */
  redeliver(accountId: string, webhookId: number, selection: Selection): Promise<SkippedSummary>;
}

export function createSkippedService(dependencies: Dependencies): SkippedService {
  const { webhooks, store, skipped, targetOf, sealer, nudge, logger, now } = dependencies;

  async function ask(webhook: Webhook, period: Period, at: Date): Promise<void> {
    const { id: webhookId, accountId } = webhook;
    const redeliveryId = randomUUID();
    const sealed = sealer.seal(JSON.stringify(targetOf(webhook)), redeliveryId);
    const ends = { from: period.from.toISOString(), until: period.until.toISOString() };
    const request = { redeliveryId, accountId, webhookId, at: at.toISOString(), ...ends, sealed };
    const message = outboxEntry(skippedRedelivered, request, redeliveryId);
    if (!(await store.publish(accountId, webhookId, [message], at))) throw notFound();
    nudge();
  }

  return {
    async redeliver(accountId, webhookId, { preview, from = new Date(0), until }) {
      const at = now();
      const webhook = await webhooks.find(accountId, webhookId);
      const period = { from, until: until !== undefined && until < at ? until : at };
      const summary = await skipped.summarize(accountId, webhookId, period);
      if (preview) return summary;
      if (stateOf(webhook) !== 'active')
        throw new AppError(
          'conflict',
          'The webhook must be verified and enabled before what it skipped can be delivered',
        );
      if (summary.count === 0) return summary;
      await ask(webhook, period, at);
      await skipped.markRedelivered(accountId, webhookId, period, at);
      logger.info('redelivery of skipped deliveries requested', { accountId, webhookId, deliveries: summary.count });
      return summary;
    },
  };
}
