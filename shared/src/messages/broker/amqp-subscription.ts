import { setTimeout as pause } from 'node:timers/promises';
import type { Channel, ConsumeMessage, RecoveringChannelModel } from 'amqplib';
import { systemClock } from '../../base/time/clock';
import { noteSender } from '../../observing/metrics/clock-skew';
import { sentHeader } from './amqp-publisher';
import type { Logger } from '../../observing/logs/logger';
import { closeQuietly, watchChannel } from './amqp-connection';
import { declareTopology } from './amqp-topology';
import type { AmqpNames } from './amqp-topology';
import type { Queue } from '../../contracts/contract';
import { withDeadline } from '../../base/concurrency/deadline';
import type { Dispatcher, Outcome, Parcel } from './dispatcher';
import { createWorkInHand } from './work-in-hand';
import type { WorkInHand } from './work-in-hand';

interface SubscriptionOptions {
  readonly connection: RecoveringChannelModel;
  readonly queue: Queue;
  readonly queues: readonly Queue[];
  readonly names: AmqpNames;
  readonly dispatcher: Dispatcher;
  readonly prefetch: number;
  readonly logger: Logger;
  readonly deadlineMilliseconds: number;
}

export interface AmqpSubscription {
  /** Resolves when consuming has started. */
  readonly consuming: Promise<void>;
  /** Cancels the consumer and waits for running handlers; unhandled messages stay on the broker. */
  stop(): Promise<void>;
}

interface Consuming {
  readonly channel: Channel;
  readonly consumerTag: string;
  /** Resolves when the channel or the consumer is lost. */
  readonly lost: Promise<void>;
  /** Work on messages of this channel, which alone can acknowledge them. */
  readonly work: WorkInHand;
}

const reopenMilliseconds = 500;
const longestWaitMilliseconds = 10_000;

/** Consumes one queue, and restarts when the channel, the queue or the connection is lost. */
export function startAmqpSubscription(options: SubscriptionOptions): AmqpSubscription {
  const { connection, queue, queues, names, dispatcher, prefetch, logger, deadlineMilliseconds } = options;
  const facts = { queue: queue.name };
  const stopping = new AbortController();
  let stopped = false;
  let current: Consuming | undefined;

  async function handle(channel: Channel, message: ConsumeMessage): Promise<void> {
    const properties: { messageId?: unknown; type?: unknown; appId?: unknown; headers?: object | undefined } =
      message.properties;
    const { messageId, type, appId, headers } = properties;
    // One that comes again is older than its sender's clock says, which is no matter: only the future counts.
    const sent = headers && sentHeader in headers ? new Date(String(headers[sentHeader])) : undefined;
    if (sent && typeof appId === 'string') noteSender(logger, appId, sent, systemClock);
    const contract = typeof type === 'string' ? type : message.fields.routingKey;
    const outcome = await dispatchThroughOutages({
      id: typeof messageId === 'string' ? messageId : '',
      contract,
      content: message.content.toString('utf8'),
      traceparent: traceparentIn(headers),
    });
    // Stopped during an outage: the unacknowledged message returns to the queue when the channel closes.
    if (outcome.kind === 'outage') return;
    try {
      if (outcome.kind === 'acknowledged') channel.ack(message);
      else channel.reject(message, false);
    } catch (error) {
      logger.warn('A handled message could not be acknowledged and comes again', { ...facts, contract, error });
    }
  }

  /** Retries the message for as long as an outage lasts; meanwhile the full prefetch pauses the queue. */
  async function dispatchThroughOutages(parcel: Parcel): Promise<Outcome> {
    for (let wait = reopenMilliseconds; ; wait = Math.min(wait * 2, longestWaitMilliseconds)) {
      const outcome = await dispatcher.dispatch(parcel);
      if (outcome.kind !== 'outage' || stopping.signal.aborted) return outcome;
      logger.warn('A message waits for something out of reach', { ...facts, id: parcel.id, error: outcome.error });
      await pause(wait, undefined, { signal: stopping.signal }).catch(ignore);
    }
  }

  async function consume(channel: Channel): Promise<Consuming> {
    await declareTopology(channel, queues, names);
    await channel.prefetch(prefetch);
    const work = createWorkInHand();
    let lose = () => {};
    const lost = new Promise<void>((resolve) => {
      lose = resolve;
    });
    channel.on('close', lose);
    const onMessage = (message: ConsumeMessage | null) => {
      // Null means that the broker cancelled the consumer, because its queue was deleted or moved.
      if (message === null) lose();
      else if (!stopped) void work.during(handle(channel, message));
    };
    const { consumerTag } = await channel.consume(names.queue(queue), onMessage);
    return { channel, consumerTag, lost, work };
  }

  async function open(): Promise<Consuming> {
    const channel = watchChannel(await connection.createChannel(), 'consume', logger);
    try {
      return await withDeadline(consume(channel), deadlineMilliseconds, 'Subscribing');
    } catch (error) {
      await closeQuietly(channel);
      throw error;
    }
  }

  async function keepConsuming(started: () => void): Promise<void> {
    while (!stopped) {
      try {
        current = await open();
        started();
        await current.lost;
        if (!stopped) logger.warn('A consumer was lost and is started again', facts);
        void closeAfterWork(current);
      } catch (error) {
        if (!stopped) logger.warn('A queue could not be consumed and is tried again', { ...facts, error });
      }
      if (!stopped) await pause(reopenMilliseconds);
    }
  }

  return {
    consuming: new Promise((resolve) => void keepConsuming(resolve)),
    async stop() {
      stopped = true;
      stopping.abort();
      if (!current) return;
      const { channel, consumerTag } = current;
      await withDeadline(channel.cancel(consumerTag), deadlineMilliseconds, 'Cancelling').catch(ignore);
      await closeAfterWork(current);
    },
  };
}

const traceparentIn = (headers: object = {}): string | undefined =>
  'traceparent' in headers && typeof headers.traceparent === 'string' ? headers.traceparent : undefined;

const ignore = () => {};

/** In this order acknowledgements are sent before the channel closes. */
async function closeAfterWork({ channel, work }: Consuming): Promise<void> {
  await work.finished();
  await closeQuietly(channel);
}
