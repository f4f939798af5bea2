import type { Contract, Queue } from '../../contracts/contract';
import { AppError } from '../../base/errors/app-error';

export interface Handler {
  readonly contract: Contract<unknown>;
  handle(message: unknown, meta: MessageMeta): Promise<void>;
}

/** `id` is the same on every redelivery; handlers use it as their idempotency key. */
export interface MessageMeta {
  readonly id: string;
}

/** Pairs a contract with its handler; the handler must not resolve before its write is durable. */
export const on = <T>(contract: Contract<T>, handle: (message: T, meta: MessageMeta) => Promise<void>): Handler => ({
  contract,
  handle,
});

export interface SubscribeOptions {
  /** Concurrent messages, 20 by default. */
  readonly prefetch?: number;
}

/**
 * Carries messages between services, at least once. A handler that throws is retried once, then the message is
 * dead-lettered; a message that does not match its schema is dead-lettered at once.
 */
export interface Broker {
  /** Resolves when the message is safe (persisted, or acknowledged by every subscriber); rejects otherwise. */
  publish<T>(contract: Contract<T>, message: T, id: string): Promise<void>;
  /** Starts consuming `queue`; each of its contracts needs a handler. */
  subscribe(queue: Queue, handlers: readonly Handler[], options?: SubscribeOptions): Promise<void>;
  /** Whether messages can currently be sent and received. */
  isUp(): boolean;
  /** Stops consuming, waits for running handlers, then disconnects. */
  close(): Promise<void>;
}

/** Counts as an outage, so a message whose handler publishes too late is redelivered instead of dead-lettered. */
export const closedError = (): AppError => new AppError('service_unavailable', 'The broker is closed');
