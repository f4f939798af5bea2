import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Clock } from '@itsm/shared/base/time/clock';
import { createPump } from '@itsm/shared/messages/outbox/pump';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import { MailRefused, waitOfRefused } from '@itsm/shared/outbound/mail/mail';
import type { Presence } from '@itsm/shared/stores/presence/presence';
import type { MailOrder, NewMailOrder } from './mail-order';
import type { MailOrderRepository } from './mail-order.repository';

interface Dependencies {
  readonly orders: MailOrderRepository;
  readonly presence: Presence;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Undefined when the mail was sent or is not needed; otherwise the time of the next attempt. */
export type Deliver = (order: MailOrder) => Promise<Date | undefined>;

export interface MailQueue {
  /** Orders a mail; durable once resolved. */
  order(order: NewMailOrder): Promise<void>;
  /**
   * As `order`, idempotent by `id`, for what anybody can cause: of such orders for a person, or for an address, only the newest
   * wait.
   */
  orderReset(order: NewMailOrder, id?: string): Promise<void>;
  /** As `orderReset`, for a request of which no person is known; false, and nothing is ordered, when too many requests wait. */
  orderResetRequest(order: NewMailOrder): Promise<boolean>;
  /**
   * Orders mails together with a write, which returns whether it was made. The orders are stored before the write. When the process
   * dies in between, the version of the person shows later whether the write was made. What is ordered `once` more by the same
   * name is the same mail: several processes may try the write, so none takes back the order.
   */
  orderWith(orders: readonly NewMailOrder[], write: () => Promise<boolean>, once?: string): Promise<boolean>;
  start(deliver: Deliver): void;
  stop(): Promise<void>;
}

/** Waiting orders for a reset, of one person or requested for one address. They all lead to the same mail. */
export const mostResets = 3;
/** Waiting requests for a reset link in all. Each takes one look-up, so they pile up only while the queue is at a standstill. */
export const mostResetRequests = 10_000;
const pollMilliseconds = 10_000;
const leaseMilliseconds = 180_000;
const retryMilliseconds = 60_000;
/** How long an order is held for its write; longer than any write takes. */
const heldMilliseconds = 60_000;

export function createMailQueue({ orders, presence, logger, now }: Dependencies): MailQueue {
  const later = (milliseconds: number): Date => new Date(now().getTime() + milliseconds);
  let deliver: Deliver | undefined;

  async function work(order: MailOrder): Promise<boolean> {
    const { id, kind, accountId, personId } = order;
    try {
      const again = await deliver?.(order);
      await (again ? orders.postpone(id, again) : orders.delete(id));
      return true;
    } catch (error) {
      logger.warn('a mail could not be sent and waits for its next try', { kind, accountId, personId, error });
      const isRefused = error instanceof MailRefused;
      await orders.postpone(id, later(isRefused ? waitOfRefused(order.createdAt, now()) : retryMilliseconds));
      // The mails of others go on: otherwise an account whose people have addresses that are refused would hold them up.
      return isRefused;
    }
  }

  const pump = createPump({
    claim: () => presence.claim(orders, leaseMilliseconds, now),
    work,
    onError: (error) => logger.warn('pending mails could not be read', { error }),
    atOnce: 2,
  });
  // The loop sends mails of several requests, so it must not run in the context of the request that started it.
  const apart = AsyncLocalStorage.snapshot();
  const nudge = (): void => {
    if (deliver) apart(() => pump.nudge());
  };
  presence.onGone(nudge);
  const toOrder = (given: NewMailOrder, id: string = randomUUID()): MailOrder => ({ id, ...given, createdAt: now() });

  const insertReset = async (order: MailOrder): Promise<void> => {
    await orders.insert(order, now());
    await orders.keepNewest(order, mostResets);
  };

  return {
    async order(given) {
      await orders.insert(toOrder(given), now());
      nudge();
    },
    async orderReset(given, id) {
      await insertReset(toOrder(given, id));
      nudge();
    },
    async orderResetRequest(given) {
      // Refuses without a write, as a rule.
      if ((await orders.countResetRequests(mostResetRequests)) >= mostResetRequests) return false;
      const order = toOrder(given);
      await insertReset(order);
      // Counted again with itself, because concurrent requests may all have seen the last place.
      if ((await orders.countResetRequests(mostResetRequests + 1)) > mostResetRequests) {
        await orders.delete(order.id);
        return false;
      }
      nudge();
      return true;
    },
    async orderWith(given, write, once) {
      const held = given.map((order) => toOrder(order, once && `${once} ${order.kind}`));
      for (const order of held) await orders.insert(order, later(heldMilliseconds));
      const written = await write();
      try {
        if (written) for (const { id } of held) await orders.postpone(id, now());
        else if (once === undefined) for (const { id } of held) await orders.delete(id);
      } catch (error) {
        logger.warn('ordered mails could not be released and are sent when their hold ends', { error });
      }
      nudge();
      return written;
    },
    start(given) {
      deliver = given;
      apart(() => pump.start(pollMilliseconds));
    },
    stop: () => pump.stop(),
  };
}
