import { randomUUID } from 'node:crypto';
import { connect as connectPlainly } from 'amqplib';
import type { Channel } from 'amqplib';
import { silentLogger } from '../../../observing/logs/logger';
import { connectAmqpBroker } from '../amqp-broker';
import { amqpNames } from '../amqp-topology';
import type { AmqpNames } from '../amqp-topology';
import { on } from '../broker';
import type { Broker } from '../broker';
import type { Queue } from '../../../contracts/contract';
import { brokerTestQueues, cancelled } from '../broker.contract';
import type { BrokerUnderTest } from '../broker.contract';
import { startTcpProxy } from './tcp-proxy';
import type { TcpProxy } from './tcp-proxy';

/** A broker on RabbitMQ, with queues of its own. */
export interface Rabbit extends BrokerUnderTest {
  /** A channel that bypasses the proxy, to inspect the broker. */
  readonly aside: Channel;
  /** Opens a further channel that bypasses the proxy. */
  readonly openChannel: () => Promise<Channel>;
  readonly wire: TcpProxy;
  readonly prefix: string;
  readonly names: AmqpNames;
  /** Keeps dead letters in their queues from now on. */
  leaveDeadLetters(): Promise<void>;
  /** Subscribes, and collects the ids of received messages. */
  readonly collect: (
    queue: Queue,
    handle?: (id: string) => Promise<void> | void,
    prefetch?: number,
  ) => Promise<readonly string[]>;
  /** Publishes like the outbox, retrying until the broker confirms; returns the number of attempts. */
  readonly insist: (id: string) => Promise<number>;
}

interface Letter {
  readonly queue: string;
  readonly contract: string;
  readonly id: string;
  readonly message: unknown;
}

/** Another process on the queues with `prefix`. */
export const connectTo = (prefix: string, url: string, deadlineMilliseconds = 5_000): Promise<Broker> =>
  connectAmqpBroker({
    url,
    service: 'test',
    logger: silentLogger,
    queues: brokerTestQueues,
    prefix,
    retryMilliseconds: 1,
    deadlineMilliseconds,
  });

/** Connects to the RabbitMQ at `amqpUrl` through a proxy that can cut the connection. */
export async function connectToRabbit(amqpUrl: string, { deadlineMilliseconds = 5_000 } = {}): Promise<Rabbit> {
  const prefix = `test-${randomUUID().slice(0, 8)}.`;
  const names = amqpNames(prefix);
  const wire = await startTcpProxy(new URL(amqpUrl).hostname, Number(new URL(amqpUrl).port || 5672));
  const url = new URL(amqpUrl);
  url.hostname = '127.0.0.1';
  url.port = String(wire.port);
  const broker = await connectTo(prefix, url.href, deadlineMilliseconds);
  const plain = await connectPlainly(amqpUrl);
  const aside = await plain.createChannel();
  const { letters, consumerTags } = await readDeadLetters(aside, names);
  return {
    broker,
    aside,
    openChannel: () => plain.createChannel(),
    wire,
    prefix,
    names,
    deadLetters: ({ name }) => letters.filter(({ queue }) => queue === name),
    async leaveDeadLetters() {
      for (const tag of consumerTags) await aside.cancel(tag);
    },
    async collect(queue, handle = () => {}, prefetch = 20) {
      const ids: string[] = [];
      const handlers = queue.contracts.map((contract) =>
        on(contract, async (_message, { id }) => {
          ids.push(id);
          await handle(id);
        }),
      );
      await broker.subscribe(queue, handlers, { prefetch });
      return ids;
    },
    async insist(id) {
      for (let attempts = 1; ; attempts += 1) {
        try {
          await broker.publish(cancelled, { number: 1 }, id);
          return attempts;
        } catch (error) {
          if (attempts > 200) throw error;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    },
    async close() {
      await broker.close();
      await deleteTopology(aside, names);
      await plain.close();
      await wire.close();
    },
  };
}

async function readDeadLetters(channel: Channel, names: AmqpNames) {
  const letters: Letter[] = [];
  const consumerTags: string[] = [];
  for (const queue of brokerTestQueues) {
    const { consumerTag } = await channel.consume(names.deadLetterQueue(queue), (message) => {
      if (!message) return;
      const properties: { messageId?: unknown; type?: unknown } = message.properties;
      const { messageId, type } = properties;
      letters.push({
        queue: queue.name,
        contract: String(type),
        id: String(messageId),
        message: read(message.content),
      });
      channel.ack(message);
    });
    consumerTags.push(consumerTag);
  }
  return { letters, consumerTags };
}

async function deleteTopology(channel: Channel, names: AmqpNames): Promise<void> {
  for (const queue of brokerTestQueues) {
    await channel.deleteQueue(names.queue(queue));
    await channel.deleteQueue(names.deadLetterQueue(queue));
  }
  await channel.deleteExchange(names.events);
  await channel.deleteExchange(names.deadLetters);
}

function read(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString());
  } catch {
    return content.toString();
  }
}
