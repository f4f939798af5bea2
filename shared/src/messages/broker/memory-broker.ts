import { allQueues } from '../../contracts/topology';
import type { Logger } from '../../observing/logs/logger';
import { currentTraceparent } from '../../observing/tracing/tracing';
import type { Broker } from './broker';
import { closedError } from './broker';
import type { Queue } from '../../contracts/contract';
import { createDispatcher } from './dispatcher';
import type { DeadLetter, Dispatcher, Parcel } from './dispatcher';
import { createSlots } from '../../base/concurrency/slots';
import type { Slots } from '../../base/concurrency/slots';
import { createWorkInHand } from './work-in-hand';

export interface MemoryBrokerOptions {
  readonly logger: Logger;
  /** Awaited before the message counts as acknowledged. */
  readonly onDeadLetter?: (letter: DeadLetter) => void | Promise<void>;
  readonly queues?: readonly Queue[];
  readonly retryMilliseconds?: number;
}

interface Consumer {
  readonly dispatcher: Dispatcher;
  readonly slots: Slots;
}

/**
 * The in-process broker for the all-in-one platform. It stores nothing: a publish resolves when every bound queue's
 * handler has acknowledged, and rejects while one has no subscriber. So after a crash the message is still in the
 * outbox.
 */
export function createMemoryBroker(options: MemoryBrokerOptions): Broker {
  const { logger, onDeadLetter, queues = allQueues, retryMilliseconds = 50 } = options;
  const consumers = new Map<string, Consumer[]>(queues.map(({ name }) => [name, []]));
  const work = createWorkInHand();
  let closed = false;

  const checkOpen = () => {
    if (closed) throw closedError();
  };

  /** Round-robin over the subscribers of one queue, like replicas. */
  const nextConsumer = (queue: Queue): Consumer => {
    const group = consumers.get(queue.name) ?? [];
    const consumer = group.shift();
    if (!consumer) throw new Error(`Queue ${queue.name} has no subscriber yet`);
    group.push(consumer);
    return consumer;
  };

  async function deliver({ dispatcher }: Consumer, parcel: Parcel): Promise<void> {
    checkOpen();
    const outcome = await work.during(dispatcher.dispatch(parcel));
    // Rejects, so that the publisher's outbox keeps the message and retries.
    if (outcome.kind === 'outage') throw outcome.error;
    if (outcome.kind === 'dead letter') await onDeadLetter?.(outcome.letter);
  }

  return {
    async publish(contract, message, id) {
      checkOpen();
      const bound = queues.filter((queue) => queue.contracts.some(({ name }) => name === contract.name));
      if (bound.length === 0) throw new Error(`No queue is bound to ${contract.name}`);
      const content = JSON.stringify(message) ?? 'null';
      const parcel = { id, contract: contract.name, content, traceparent: currentTraceparent() };
      const receivers = bound.map(nextConsumer);
      await Promise.all(receivers.map((consumer) => consumer.slots.run(() => deliver(consumer, parcel))));
    },
    async subscribe(queue, handlers, { prefetch = 20 } = {}) {
      checkOpen();
      const group = consumers.get(queue.name);
      if (!group) throw new Error(`There is no queue ${queue.name}`);
      const dispatcher = createDispatcher(queue, handlers, { logger, retryMilliseconds });
      group.push({ dispatcher, slots: createSlots(prefetch) });
    },
    isUp: () => !closed,
    async close() {
      closed = true;
      await work.finished();
    },
  };
}
