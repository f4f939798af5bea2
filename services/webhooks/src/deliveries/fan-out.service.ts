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
  /** Resolves when the request is safe with the broker. */
  readonly publish: (request: DeliveryRequested) => Promise<void>;
  /** How long an event waits for others, to share look-ups, writes and calls. */
  readonly gatherMilliseconds: number;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Publishes in flight at once for one event. */
const publishesAtOnce = 50;

/** The webhooks that are registered for an event, and their accounts. */
interface Subscribed {
  /** When the look-up began. */
  readonly at: Date;
  readonly webhooks: readonly Webhook[];
  readonly accounts: ReadonlyMap<string, Account>;
}

type Lookup = () => Subscribed;

/**
 * Asks for one delivery per webhook that is registered for the event, in every account that sees the record. Those for
 * webhooks that are not active are to be kept and not made.
 */
export function createFanOut(dependencies: Dependencies) {
  const { webhooks, events, skipped, findAccounts, requestDelivery, publish, gatherMilliseconds, logger, now } =
    dependencies;

  async function find(changes: readonly RecordChanged[]): Promise<readonly Subscribed[]> {
    // Before looking: a webhook that is stopped from now on has these deliveries given up.
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

  /** Looks each event up by itself, so that a fault concerns only its own event. */
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

  /** Looks up events in batches, without a cache: an event sees every change that was acknowledged before it came. */
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
    // Nothing leaves for an account that is disabled; once it is back, its webhooks can have what they skipped.
    const subscribed = found.map((one) => (accounts.get(one.accountId)?.disabled ? { ...one, disabled: true } : one));
    const subscribers = subscribed.map((webhook) => ({ webhookId: webhook.id, state: stateOf(webhook) }));
    const passed = subscribed.flatMap((webhook) => toSkipped(webhook, change, at));
    const occurrence = occurrenceOf(change);
    const find = (accountId: string) => Promise.resolve(accounts.get(accountId));
    const request = async (webhook: Webhook) => publish(await requestDelivery(webhook, occurrence, at, find));
    // Together: a repeat of the message finds what is there already, and nothing is acknowledged before all of it is safe.
    await Promise.all([
      events.note(change, subscribers, at),
      skipped.add(passed),
      forAll(publishesAtOnce, subscribed, request),
    ]);

    const { eventId, event } = change;
    const counts = { deliveries: subscribed.length - passed.length, skipped: passed.length };
    if (subscribed.length > 0) logger.info('event fanned out', { eventId, event, ...counts });
  };
}

const noAccounts: ReadonlyMap<string, Account> = new Map();

const accountsOf = (webhooks: readonly Webhook[]): string[] => [...new Set(webhooks.map(({ accountId }) => accountId))];

const keyOf = ({ event, accountId }: Pick<Webhook, 'event' | 'accountId'>): string => `${event} ${accountId}`;

function groupedBy<T>(all: readonly T[], key: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(key(one));
    if (group) group.push(one);
    else groups.set(key(one), [one]);
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
