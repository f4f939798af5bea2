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

/** An event, and those of its accounts whose deliveries are requested. */
interface Part {
  readonly change: RecordChanged;
  readonly accountIds: readonly string[];
}

/**
 * Requests the deliveries of an event in the given accounts. `admit` is asked with the number of deliveries in each
 * account that has some; returns the accounts that it did not admit, of which nothing is requested.
 */
export type FanOut = (
  change: RecordChanged,
  accountIds: readonly string[],
  admit: (accountId: string, deliveries: number) => boolean,
) => Promise<readonly string[]>;

/**
 * Fan-out: requests one delivery per webhook registered for the event, in every account that sees the record.
 * Deliveries of inactive webhooks are requested as skipped: kept, not made.
 */
export function createFanOut(dependencies: Dependencies): FanOut {
  const { webhooks, events, skipped, findAccounts, requestDelivery, publish, gatherMilliseconds, logger, now } =
    dependencies;

  async function find(parts: readonly Part[]): Promise<readonly Subscribed[]> {
    // Taken before the look-up, so that a stop that comes later ends these deliveries too.
    const at = now();
    const audiences = parts.map(({ change: { event }, accountIds }) => ({ event, visibleTo: [...accountIds] }));
    const found = await webhooks.findSubscribed(audiences);
    const accounts = found.length === 0 ? noAccounts : await findAccounts(accountsOf(found));
    const registered = groupedBy(found, keyOf);
    return audiences.map(({ event, visibleTo }) => ({
      at,
      webhooks: visibleTo.flatMap((accountId) => registered.get(keyOf({ event, accountId })) ?? []),
      accounts,
    }));
  }

  /** Fallback after a failed batch: looks each event up alone, so that a fault fails only its own event. */
  const findApart = (parts: readonly Part[]): Promise<readonly Lookup[]> =>
    Promise.all(
      parts.map((part) =>
        find([part]).then(
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
  const lookUp = createBatcher<Part, Lookup>(
    async (parts) => {
      try {
        return (await find(parts)).map((subscribed) => () => subscribed);
      } catch (error) {
        if (parts.length === 1 || isOutage(error)) throw error;
        return findApart(parts);
      }
    },
    { gatherMilliseconds },
  );

  return async function fanOut(change, accountIds, admit) {
    const { at, webhooks: all, accounts } = (await lookUp({ change, accountIds }))();
    const held = [...countsOf(all)].filter(([accountId, count]) => !admit(accountId, count)).map(([id]) => id);
    // Webhooks of a disabled account are treated as disabled: their deliveries are skipped, and can be redelivered once
    // the account is enabled.
    const registered = all.map((webhook) =>
      accounts.get(webhook.accountId)?.disabled ? { ...webhook, disabled: true } : webhook,
    );
    const subscribers = registered.map((webhook) => ({ webhookId: webhook.id, state: stateOf(webhook) }));
    const subscribed = registered.filter(({ accountId }) => !held.includes(accountId));
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
    return held;
  };
}

const noAccounts: ReadonlyMap<string, Account> = new Map();

const accountsOf = (webhooks: readonly Webhook[]): string[] => [...new Set(webhooks.map(({ accountId }) => accountId))];

/** The number of webhooks of each account. */
const countsOf = (webhooks: readonly Webhook[]): ReadonlyMap<string, number> =>
  new Map([...groupedBy(webhooks, ({ accountId }) => accountId)].map(([id, group]) => [id, group.length]));

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
