import { forAll } from '@itsm/shared/base/concurrency/slots';
import type { DeliveryRequested } from '@itsm/shared/contracts/deliveries';
import type { RecordChanged } from '@itsm/shared/contracts/records';
import { isOutage } from '@itsm/shared/base/errors/outage';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { createBatcher } from '@itsm/shared/stores/mongo/batcher';
import type { Clock } from '@itsm/shared/base/time/clock';
import { deliveryIdOf } from './delivery.message';
import type { DeliveryRequester } from './delivery.message';
import { occurrenceOf } from './occurrence';
import type { Account, DirectoryRepository } from '../directory/directory.repository';
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
  /** Resolves when the broker has confirmed the request (publisher confirm). */
  readonly publish: (request: DeliveryRequested) => Promise<void>;
  /** How long an event waits to be batched with others, which share look-ups, writes and calls. */
  readonly gatherMilliseconds: number;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Concurrent publishes for one event. */
const publishesAtOnce = 50;

/** The webhooks that are registered for an event, and their accounts. */
interface Subscribed {
  /** When the look-up began: a stop of the webhook after this time applies to the deliveries. */
  readonly at: Date;
  readonly webhooks: readonly Webhook[];
  readonly accounts: ReadonlyMap<string, Account>;
}

type Lookup = () => Subscribed;

/**
 * Fan-out: requests one delivery per webhook registered for the event, in every account that sees the record.
 * Deliveries of inactive webhooks are requested as skipped: kept, not made.
 */
export function createFanOut(dependencies: Dependencies) {
  const { webhooks, events, skipped, findAccounts, requestDelivery, publish, gatherMilliseconds, logger, now } =
    dependencies;

  async function find(changes: readonly RecordChanged[]): Promise<readonly Subscribed[]> {
    // Taken before the look-up, so that a stop that comes later ends these deliveries too.
    const at = now();
    const found = await webhooks.findSubscribed(changes);
    const accounts = found.length === 0 ? noAccounts : await findAccounts(accountsOf(found));
    const registered = groupedBy(found, keyOf);
    return changes.map(({ event, visibleTo }) => ({
      at,
      webhooks: [...new Set(visibleTo)].flatMap((accountId) => registered.get(keyOf({ event, accountId })) ?? []),
      accounts,
    }));
  }

  /** Fallback after a failed batch: looks each event up alone, so that a fault fails only its own event. */
  const findApart = (changes: readonly RecordChanged[]): Promise<readonly Lookup[]> =>
    Promise.all(
      changes.map((change) =>
        find([change]).then(
          ([subscribed]) =>
            () =>
              subscribed!,
          (error: unknown) => () => {
            throw error;
          },
        ),
      ),
    );

  /** Looks up events in batches, without a cache, so that an event sees every change that was acknowledged before it arrived. */
  const lookUp = createBatcher<RecordChanged, Lookup>(
    async (changes) => {
      try {
        return (await find(changes)).map((subscribed) => () => subscribed);
      } catch (error) {
        if (changes.length === 1 || isOutage(error)) throw error;
        return findApart(changes);
      }
    },
    { gatherMilliseconds },
  );

  return async function fanOut(change: RecordChanged): Promise<void> {
    const { at, webhooks: found, accounts } = (await lookUp(change))();
    // Webhooks of a disabled account are treated as disabled: their deliveries are skipped, and can be redelivered once
    // the account is enabled.
    const subscribed = found.map((webhook) =>
      accounts.get(webhook.accountId)?.disabled ? { ...webhook, disabled: true } : webhook,
    );
    const subscribers = subscribed.map((webhook) => ({ webhookId: webhook.id, state: stateOf(webhook) }));
    const skippedDeliveries = subscribed.flatMap((webhook) => toSkipped(webhook, change, at));
    const occurrence = occurrenceOf(change);
    const find = (accountId: string) => Promise.resolve(accounts.get(accountId));
    const request = async (webhook: Webhook) => publish(await requestDelivery(webhook, occurrence, at, find));
    // Idempotent, so they run in parallel. The message is acknowledged only when all have succeeded.
    await Promise.all([
      events.note(change, subscribers, at),
      skipped.add(skippedDeliveries),
      forAll(publishesAtOnce, subscribed, request),
    ]);

    const { eventId, event } = change;
    const counts = { deliveries: subscribed.length - skippedDeliveries.length, skipped: skippedDeliveries.length };
    if (subscribed.length > 0) logger.info('event fanned out', { eventId, event, ...counts });
  };
}

const noAccounts: ReadonlyMap<string, Account> = new Map();

const accountsOf = (webhooks: readonly Webhook[]): string[] => [...new Set(webhooks.map(({ accountId }) => accountId))];

const keyOf = ({ event, accountId }: Pick<Webhook, 'event' | 'accountId'>): string => `${event} ${accountId}`;

function groupedBy<T>(all: readonly T[], key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of all) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

function toSkipped(webhook: Webhook, { eventId, object }: RecordChanged, at: Date): SkippedDelivery[] {
  const reason = stateOf(webhook);
  if (reason === 'active') return [];
  const { id: webhookId, accountId } = webhook;
  const deliveryId = deliveryIdOf(eventId, webhookId);
  return [{ deliveryId, accountId, webhookId, eventId, objectId: object.id, reason, skippedAt: at }];
}
