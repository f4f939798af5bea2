import { forAll } from '@itsm/shared/base/concurrency/slots';
import type { DeliveryRequested } from '@itsm/shared/contracts/deliveries';
import type { RecordChanged } from '@itsm/shared/contracts/records';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import { deliveryIdOf } from './delivery.message';
import type { DeliveryRequester } from './delivery.message';
import { occurrenceOf } from './occurrence';
import type { DirectoryRepository } from '../directory/directory.repository';
import type { EventLog } from './event-log.repository';
import type { SkippedDelivery, SkippedRepository } from './skipped.repository';
import { stateOf } from '../webhooks/webhook';
import type { Webhook } from '../webhooks/webhook';
import type { WebhookRepository } from '../webhooks/webhook.repository';

interface Dependencies {
  readonly webhooks: Pick<WebhookRepository, 'findSubscribed'>;
  readonly events: EventLog;
  readonly skipped: SkippedRepository;
  readonly findAccounts: DirectoryRepository['findAccounts'];
  readonly requestDelivery: DeliveryRequester;
  /** Resolves when the request is safe with the broker. */
  readonly publish: (request: DeliveryRequested) => Promise<void>;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Publishes in flight at once for one event. */
const publishesAtOnce = 50;

/**
 * Asks for one delivery per webhook that is registered for the event, in every account that sees the record. Those for
 * webhooks that are not active are to be kept and not made.
 */
export function createFanOut(dependencies: Dependencies) {
  const { webhooks, events, skipped, findAccounts, requestDelivery, publish, logger, now } = dependencies;

  return async function fanOut(change: RecordChanged): Promise<void> {
    // Before looking: a webhook that is stopped from now on has these deliveries given up.
    const at = now();
    const found = await webhooks.findSubscribed(change.visibleTo, change.event);
    const accounts = await findAccounts([...new Set(found.map(({ accountId }) => accountId))]);
    // Nothing leaves for an account that is disabled; once it is back, its webhooks can have what they skipped.
    const subscribed = found.map((one) => (accounts.get(one.accountId)?.disabled ? { ...one, disabled: true } : one));
    const subscribers = subscribed.map((webhook) => ({ webhookId: webhook.id, state: stateOf(webhook) }));
    await events.note(change, subscribers, at);
    const passed = subscribed.flatMap((webhook) => toSkipped(webhook, change, at));
    await skipped.add(passed);

    const occurrence = occurrenceOf(change);
    const find = (accountId: string) => Promise.resolve(accounts.get(accountId));
    const request = async (webhook: Webhook) => publish(await requestDelivery(webhook, occurrence, at, find));
    await forAll(publishesAtOnce, subscribed, request);

    const { eventId, event } = change;
    const counts = { deliveries: subscribed.length - passed.length, skipped: passed.length };
    if (subscribed.length > 0) logger.info('event fanned out', { eventId, event, ...counts });
  };
}

function toSkipped(webhook: Webhook, { eventId, object }: RecordChanged, at: Date): SkippedDelivery[] {
  const reason = stateOf(webhook);
  if (reason === 'active') return [];
  const { id: webhookId, accountId } = webhook;
  const deliveryId = deliveryIdOf(eventId, webhookId);
  return [{ deliveryId, accountId, webhookId, eventId, objectId: object.id, reason, skippedAt: at }];
}
