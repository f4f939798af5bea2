import type { ConfirmChannel, RecoveringChannelModel } from 'amqplib';
import { AppError } from '../../base/errors/app-error';
import { systemClock } from '../../base/time/clock';
import type { Logger } from '../../observing/logs/logger';
import { currentTraceparent } from '../../observing/tracing/tracing';
import { closeQuietly, watchChannel } from './amqp-connection';
import { declareTopology } from './amqp-topology';
import type { AmqpNames } from './amqp-topology';
import type { Queue } from '../../contracts/contract';
import { withDeadline } from '../../base/concurrency/deadline';

/** When a message was sent, by its sender's clock, in ISO 8601. */
export const sentHeader = 'sent-at';

interface PublisherOptions {
  readonly connection: RecoveringChannelModel;
  readonly service: string;
  readonly queues: readonly Queue[];
  readonly names: AmqpNames;
  readonly logger: Logger;
  readonly deadlineMilliseconds: number;
}

export interface AmqpPublisher {
  /** Resolves when the topology is declared and the channel is open. */
  ready(): Promise<void>;
  publish(contract: string, content: string, id: string): Promise<void>;
}

/** Publishes with confirms on one channel, which is reopened when it or its connection is lost. */
export function createAmqpPublisher(options: PublisherOptions): AmqpPublisher {
  const { connection, service, queues, names, logger, deadlineMilliseconds } = options;
  const unroutable = new Set<string>();
  let opening: Promise<ConfirmChannel> | undefined;
  let count = 0;

  async function open(onClose: () => void): Promise<ConfirmChannel> {
    const channel = watchChannel(await connection.createConfirmChannel(), 'publish', logger);
    channel.on('close', onClose);
    channel.on('return', ({ properties }) => unroutable.add(String(properties.correlationId)));
    try {
      await withDeadline(declareTopology(channel, queues, names), deadlineMilliseconds, 'Declaring the queues');
      return channel;
    } catch (error) {
      await closeQuietly(channel);
      throw error;
    }
  }

  /**
   * Single flight: concurrent callers share one opening. The close event of an old channel does not affect a newer one.
   */
  function channel(): Promise<ConfirmChannel> {
    if (!opening) {
      const forget = () => {
        if (opening === mine) opening = undefined;
      };
      const mine = open(forget);
      mine.catch(forget);
      opening = mine;
    }
    return opening;
  }

  /** The broker also confirms a message that it returns as unroutable; the return arrives first. */
  const confirmed = (on: ConfirmChannel, contract: string, content: string, id: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const correlationId = String((count += 1));
      const traceparent = currentTraceparent();
      const headers = { ...(traceparent !== undefined && { traceparent }), [sentHeader]: systemClock().toISOString() };
      const message = {
        persistent: true,
        mandatory: true,
        messageId: id,
        type: contract,
        correlationId,
        appId: service,
        headers,
      };
      on.publish(
        names.events,
        contract,
        Buffer.from(content),
        { ...message, contentType: 'application/json' },
        (error) => {
          const returned = unroutable.delete(correlationId);
          if (error) reject(error instanceof Error ? error : new Error('The broker refused', { cause: error }));
          else if (returned) reject(new UnroutableError(`No queue is bound to ${contract}`));
          else resolve();
        },
      );
    });

  connection.on('connect', () => {
    channel().catch((error: unknown) => logger.error('The queues could not be declared', { error }));
  });

  return {
    async ready() {
      await channel();
    },
    async publish(contract, content, id) {
      try {
        const until = performance.now() + deadlineMilliseconds;
        const on = await withDeadline(channel(), deadlineMilliseconds, 'Waiting for the broker');
        await withDeadline(
          confirmed(on, contract, content, id),
          Math.max(1, until - performance.now()),
          'The confirmation',
        );
      } catch (error) {
        throw toRefusal(error);
      }
    },
  };
}

class UnroutableError extends Error {
  override readonly name = 'UnroutableError';
}

/** Any error of a closing channel or connection is an outage, not an error of the message. */
const toRefusal = (error: unknown): unknown =>
  error instanceof AppError || error instanceof UnroutableError
    ? error
    : Object.assign(new AppError('service_unavailable', 'The broker did not take the message'), { cause: error });
