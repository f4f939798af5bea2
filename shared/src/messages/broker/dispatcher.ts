import { SpanKind } from '@opentelemetry/api';
import { setTimeout as pause } from 'node:timers/promises';
import { isOutage } from '../../base/errors/outage';
import { inLogContext } from '../../observing/logs/log-context';
import type { Logger } from '../../observing/logs/logger';
import { messageDuration, messagesHandled } from '../../observing/metrics/metrics';
import { inSpan } from '../../observing/tracing/tracing';
import type { Handler } from './broker';
import type { Queue } from '../../contracts/contract';

/** A message as it arrived at a queue: `content` is its JSON text. */
export interface Parcel {
  readonly id: string;
  readonly contract: string;
  readonly content: string;
  /** The sender's trace context (W3C). */
  readonly traceparent?: string | undefined;
}

/** `message` is the parsed JSON, or the text when it is invalid. */
export interface DeadLetter {
  readonly queue: string;
  readonly contract: string;
  readonly id: string;
  readonly message: unknown;
  readonly error: unknown;
}

export type Outcome =
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'dead letter'; readonly letter: DeadLetter }
  /** A store or the broker is unreachable: the message is fine and has to be dispatched again. */
  | { readonly kind: 'outage'; readonly error: unknown };

export interface Dispatcher {
  /** Never rejects. */
  dispatch(parcel: Parcel): Promise<Outcome>;
}

interface Options {
  readonly logger: Logger;
  /** The delay before a failed handler is retried. */
  readonly retryMilliseconds: number;
}

/**
 * Dispatches the messages of one queue to their handlers: validates the schema, and retries once. Throws when a
 * contract has no handler.
 */
export function createDispatcher(
  queue: Queue,
  handlers: readonly Handler[],
  { logger, retryMilliseconds }: Options,
): Dispatcher {
  const byName = new Map(handlers.map((handler) => [handler.contract.name, handler]));
  const missing = queue.contracts.filter(({ name }) => !byName.has(name)).map(({ name }) => name);
  if (missing.length > 0) throw new Error(`Queue ${queue.name} has no handler for ${missing.join(', ')}`);

  async function attemptTwice(handler: Handler, parcel: Parcel, message: unknown): Promise<void> {
    const { id, contract, content } = parcel;
    try {
      await handler.handle(message, { id });
    } catch (error) {
      if (isOutage(error)) throw error;
      logger.warn('A message handler failed and is retried once', { queue: queue.name, contract, id, error });
      await pause(retryMilliseconds);
      // Parsed again, since the failed attempt may have changed the object.
      await handler.handle(handler.contract.schema.parse(JSON.parse(content)), { id });
    }
  }

  const deadLetter = ({ id, contract, content }: Parcel, error: unknown): Outcome => {
    logger.error('A message was dead-lettered', { queue: queue.name, contract, id, error });
    return { kind: 'dead letter', letter: { queue: queue.name, contract, id, message: readable(content), error } };
  };

  async function dispatch(parcel: Parcel): Promise<Outcome> {
    const handler = byName.get(parcel.contract);
    if (!handler) return deadLetter(parcel, new Error('This queue has no handler for the contract'));
    if (parcel.id === '') return deadLetter(parcel, new Error('The message has no id'));
    const read = readAs(handler, parcel.content);
    if (read.fault) return deadLetter(parcel, read.fault);
    const { contract, id, traceparent: parent } = parcel;
    const span = { kind: SpanKind.CONSUMER, parent, attributes: { 'messaging.destination.name': queue.name } };
    const work = () => inLogContext({ messageId: id }, () => attemptTwice(handler, parcel, read.message));
    try {
      await inSpan(`process ${contract}`, span, work);
      return { kind: 'acknowledged' };
    } catch (error) {
      return isOutage(error) ? { kind: 'outage', error } : deadLetter(parcel, error);
    }
  }

  return {
    async dispatch(parcel) {
      const end = messageDuration.startTimer({ queue: queue.name });
      const outcome = await dispatch(parcel);
      end();
      messagesHandled.inc({ queue: queue.name, outcome: outcome.kind });
      return outcome;
    },
  };
}

type Read = { readonly message: unknown; readonly fault?: undefined } | { readonly fault: Error };

function readAs({ contract }: Handler, content: string): Read {
  try {
    const { data, error } = contract.schema.safeParse(JSON.parse(content));
    return error ? { fault: error } : { message: data };
  } catch (error) {
    return { fault: error instanceof Error ? error : new Error('The content could not be read', { cause: error }) };
  }
}

function readable(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
