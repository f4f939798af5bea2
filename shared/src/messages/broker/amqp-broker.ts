import { allQueues } from '../../contracts/topology';
import type { Logger } from '../../observing/logs/logger';
import { openAmqpConnection, closeQuietly, watchChannel } from './amqp-connection';
import type { AmqpConnection } from './amqp-connection';
import { createAmqpPublisher } from './amqp-publisher';
import { startAmqpSubscription } from './amqp-subscription';
import type { AmqpSubscription } from './amqp-subscription';
import { amqpNames } from './amqp-topology';
import type { AmqpNames } from './amqp-topology';
import { closedError } from './broker';
import type { Broker } from './broker';
import type { Queue } from '../../contracts/contract';
import { withDeadline } from '../../base/concurrency/deadline';
import { createDispatcher } from './dispatcher';
import { createWorkInHand } from './work-in-hand';
import { AppError } from '../../base/errors/app-error';
import { watchedQueues } from '../../observing/metrics/metrics';
import type { WatchedQueue } from '../../observing/metrics/metrics';

export interface AmqpBrokerOptions {
  readonly url: string;
  /** The name of the connection on the broker. */
  readonly service: string;
  readonly logger: Logger;
  readonly queues?: readonly Queue[];
  /** Prefix of all queue and exchange names, which isolates test runs. */
  readonly prefix?: string;
  readonly retryMilliseconds?: number;
  readonly deadlineMilliseconds?: number;
}

/**
 * The broker for separate processes: RabbitMQ with quorum queues and publisher confirms. Reconnects by itself; until
 * then a publish rejects by its deadline. Resolves even while the broker is unreachable.
 */
export async function connectAmqpBroker(options: AmqpBrokerOptions): Promise<Broker> {
  const { url, service, logger, queues = allQueues, prefix } = options;
  const { retryMilliseconds = 1_000, deadlineMilliseconds = 5_000 } = options;
  const names = amqpNames(prefix);
  // Separate connections: back-pressure on publishers must not delay acknowledgements.
  const [publishing, consuming] = await Promise.all([
    openAmqpConnection({ url, name: `${service} publish`, logger }),
    openAmqpConnection({ url, name: `${service} consume`, logger }),
  ]);
  const publisher = createAmqpPublisher({
    connection: publishing.model,
    service,
    queues,
    names,
    logger,
    deadlineMilliseconds,
  });
  const subscriptions: AmqpSubscription[] = [];
  const consumed: Queue[] = [];
  const publishes = createWorkInHand();
  let closed: Promise<void> | undefined;
  let isDrained = false;

  /** Waits for the broker for a limited time: a service must start without it too. */
  const patiently = async (promise: Promise<void>, what: string): Promise<void> => {
    try {
      await withDeadline(promise, deadlineMilliseconds, what);
    } catch (error) {
      logger.warn('Going on without the broker until it is there', { error });
    }
  };

  async function disconnect(): Promise<void> {
    for (const { name } of consumed) watchedQueues.delete(name);
    await Promise.all(subscriptions.map((subscription) => subscription.stop()));
    // Publishing stays possible until here, so that running handlers can publish their follow-up messages.
    isDrained = true;
    await publishes.finished();
    await patiently(closeBoth(), 'Disconnecting');
  }

  const closeBoth = async (): Promise<void> => {
    await Promise.all([publishing.model.close(), consuming.model.close()]);
  };

  await patiently(publisher.ready(), 'Connecting to the broker');
  return {
    async publish(contract, message, id) {
      if (isDrained) throw closedError();
      await publishes.during(publisher.publish(contract.name, JSON.stringify(message) ?? 'null', id));
    },
    async subscribe(queue, handlers, { prefetch = 20 } = {}) {
      if (closed) throw closedError();
      const dispatcher = createDispatcher(queue, handlers, { logger, retryMilliseconds });
      const shared = { queue, queues, names, dispatcher, prefetch, logger, deadlineMilliseconds };
      const subscription = startAmqpSubscription({ connection: consuming.model, ...shared });
      subscriptions.push(subscription);
      consumed.push(queue);
      watchedQueues.set(queue.name, watchAmqpQueue({ connection: consuming, queue, names, logger }));
      await patiently(subscription.consuming, `Subscribing to ${queue.name}`);
    },
    isUp: () => closed === undefined && publishing.isUp() && consuming.isUp(),
    close: () => (closed ??= disconnect()),
  };
}

interface WatchedQueueOptions {
  readonly connection: AmqpConnection;
  readonly queue: Queue;
  readonly names: AmqpNames;
  readonly logger: Logger;
}

interface Depth {
  readonly messageCount: number;
  readonly consumerCount: number;
}

/** A queue that does not exist has no messages and no consumers. */
const notThere: Depth = { messageCount: 0, consumerCount: 0 };

/** Reads the depth of `queue` and of its dead-letter queue from RabbitMQ; rejects while it is unreachable. */
function watchAmqpQueue({ connection, queue, names, logger }: WatchedQueueOptions): WatchedQueue {
  /** Uses a channel of its own, since the broker closes the channel when the queue does not exist. */
  async function look(name: string): Promise<Depth> {
    // Otherwise every check during an outage would wait until it ends.
    if (!connection.isUp()) throw new AppError('service_unavailable', 'The broker is out of reach');
    const channel = watchChannel(await connection.model.createChannel(), 'look', logger);
    try {
      return await channel.checkQueue(name);
    } catch (error) {
      if (isNotFound(error)) return notThere;
      throw error;
    } finally {
      await closeQuietly(channel);
    }
  }

  return {
    messages: async () => (await look(names.queue(queue))).messageCount,
    consumers: async () => (await look(names.queue(queue))).consumerCount,
    deadLetters: async () => (await look(names.deadLetterQueue(queue))).messageCount,
  };
}

const isNotFound = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 404;
