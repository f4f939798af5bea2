import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Clock } from '@itsm/shared/base/time/clock';
import { createPump } from '@itsm/shared/messages/outbox/pump';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Presence } from '@itsm/shared/stores/presence/presence';
import type { MailOrder, NewMailOrder } from './mail-order';
import type { MailOrderRepository } from './mail-order.repository';

interface Dependencies {
  readonly orders: MailOrderRepository;
  readonly presence: Presence;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Undefined when the mail is sent or not needed; otherwise when to try again. */
export type Deliver = (order: MailOrder) => Promise<Date | undefined>;

export interface MailQueue {
  /** Resolved means that the mail will be sent, whatever becomes of this process. */
  order(order: NewMailOrder): Promise<void>;
  /** The same for one of several that `id` tells apart: a repetition orders nothing more. */
  orderOnce(id: string, order: NewMailOrder): Promise<void>;
  /**
   * Around a write that makes mails necessary and answers whether it was made. The orders are there before the write,
   * so that it is never without them; when this process dies in between, whether it was made shows by the version.
   */
  orderWith(orders: readonly NewMailOrder[], write: () => Promise<boolean>): Promise<boolean>;
  start(deliver: Deliver): void;
  stop(): Promise<void>;
}

const pollMilliseconds = 10_000;
const leaseMilliseconds = 180_000;
const retryMilliseconds = 60_000;
/** Longer than any write takes. */
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
      await orders.postpone(id, later(retryMilliseconds));
      return false;
    }
  }

  const pump = createPump({
    claim: () => presence.claim(orders, leaseMilliseconds, now),
    work,
    onError: (error) => logger.warn('mails that wait could not be read', { error }),
    atOnce: 2,
  });
  // Mails of several requests are sent in one go: none of them is done by, or comes from where, the one that began it.
  const apart = AsyncLocalStorage.snapshot();
  const nudge = (): void => {
    if (deliver) apart(() => pump.nudge());
  };
  presence.onGone(nudge);
  const toOrder = (given: NewMailOrder, id: string = randomUUID()): MailOrder => ({ id, ...given, createdAt: now() });

  return {
    async order(given) {
      await orders.insert(toOrder(given), now());
      nudge();
    },
    async orderOnce(id, given) {
      await orders.insert(toOrder(given, id), now());
      nudge();
    },
    async orderWith(given, write) {
      const held = given.map((order) => toOrder(order));
      for (const order of held) await orders.insert(order, later(heldMilliseconds));
      const written = await write();
      try {
        for (const { id } of held) await (written ? orders.postpone(id, now()) : orders.delete(id));
      } catch (error) {
        logger.warn('mails that were ordered wait until they come due by themselves', { error });
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
