import type { Logger } from '../../observing/logs/logger';
import { AppError } from '../../base/errors/app-error';
import type { WatchedQueue } from '../../observing/metrics/metrics';
import { closeQuietly, watchChannel } from './amqp-connection';
import type { AmqpConnection } from './amqp-connection';
import type { AmqpNames } from './amqp-topology';
import type { Queue } from '../../contracts/contract';

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

/** A queue that is not there has no messages and no consumers. */
const notThere: Depth = { messageCount: 0, consumerCount: 0 };

/** What RabbitMQ itself says of `queue` and of its dead letters; rejects while it is out of reach. */
export function watchAmqpQueue({ connection, queue, names, logger }: WatchedQueueOptions): WatchedQueue {
  /** On a channel of its own, which the broker closes when there is no such queue. */
  async function look(name: string): Promise<Depth> {
    // Otherwise every look of an outage would wait for its end.
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
