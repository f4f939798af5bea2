import type { Contract, Queue } from '../../contracts/contract';
import { AppError } from '../../base/errors/app-error';

export interface Handler {
  readonly contract: Contract<unknown>;
  handle(message: unknown, meta: MessageMeta): Promise<void>;
}

/** `id` is the same on every repeat of a message: what a handler's idempotency is keyed by. */
export interface MessageMeta {
  readonly id: string;
}

/** Pairs a contract with its handler; the handler resolves only after its own write. */
export const on = <T>(contract: Contract<T>, handle: (message: T, meta: MessageMeta) => Promise<void>): Handler => ({
  contract,
  handle,
});

export interface SubscribeOptions {
  /** Messages in work at once, default 20. */
  readonly prefetch?: number;
}

/**
 * Carries messages from one service to the next, at least once.
 * A handler that throws is retried once, then its message is dead-lettered; a message that does not fit its schema is dead-lettered at once.
 */
export interface Broker {
  /** Resolves when the broker has the message safely (persisted, or acknowledged by every subscriber); rejects otherwise. */
  publish<T>(contract: Contract<T>, message: T, id: string): Promise<void>;
  /** Starts consuming `queue`. Each contract of the queue needs its handler. */
  subscribe(queue: Queue, handlers: readonly Handler[], options?: SubscribeOptions): Promise<void>;
  /** Whether messages can be sent and received at this moment. */
  isUp(): boolean;
  /** Stops consuming, waits for the handlers at work, then disconnects. */
  close(): Promise<void>;
}

/** Counts as an outage: a message whose handler comes too late to publish is handled again, not given up. */
export const closedError = (): AppError => new AppError('service_unavailable', 'The broker is closed');
