import { randomUUID } from 'node:crypto';
import { connect as connectPlainly } from 'amqplib';
import type { Channel } from 'amqplib';
import { silentLogger } from '../logs/logger';
import { connectAmqpBroker } from './amqp-broker';
import { amqpNames } from './amqp-topology';
import type { AmqpNames } from './amqp-topology';
import { waitUntil } from '../testing/wait-until';
import { createGate } from './testing/gate';
import { on } from './broker';
import type { Broker, MessageMeta, Queue } from './broker';
import { billing, brokerTestQueues, cancelled, describeBroker, packing, placed } from './broker.contract';
import type { BrokerUnderTest } from './broker.contract';
import { startTcpProxy } from './testing/tcp-proxy';
import type { TcpProxy } from './testing/tcp-proxy';

// The only setting a test reads: scripts/rabbitmq.mjs provides it. Without it these tests show as skipped.
const amqpUrl = process.env.AMQP_URL ?? '';
const describeWithRabbit = amqpUrl === '' ? describe.skip : describe;

interface Rabbit extends BrokerUnderTest {
  /** Looks at the broker from the side, on the direct way. */
  readonly aside: Channel;
  readonly wire: TcpProxy;
  readonly prefix: string;
  readonly names: AmqpNames;
}

interface Letter {
  readonly queue: string;
  readonly contract: string;
  readonly id: string;
  readonly message: unknown;
}

const connectTo = (prefix: string, url: string, deadlineMilliseconds = 5_000): Promise<Broker> =>
  connectAmqpBroker({
    url,
    service: 'test',
    logger: silentLogger,
    queues: brokerTestQueues,
    prefix,
    retryMilliseconds: 1,
    deadlineMilliseconds,
  });

async function connect({ deadlineMilliseconds = 5_000 } = {}): Promise<Rabbit> {
  const prefix = `test-${randomUUID().slice(0, 8)}.`;
  const names = amqpNames(prefix);
  const wire = await startTcpProxy(new URL(amqpUrl).hostname, Number(new URL(amqpUrl).port || 5672));
  const url = new URL(amqpUrl);
  url.hostname = '127.0.0.1';
  url.port = String(wire.port);
  const broker = await connectTo(prefix, url.href, deadlineMilliseconds);
  const plain = await connectPlainly(amqpUrl);
  const aside = await plain.createChannel();
  const letters = await readDeadLetters(aside, names);
  return {
    broker,
    aside,
    wire,
    prefix,
    names,
    deadLetters: ({ name }) => letters.filter(({ queue }) => queue === name),
    async close() {
      await broker.close();
      await deleteTopology(aside, names);
      await plain.close();
      await wire.close();
    },
  };
}

async function readDeadLetters(channel: Channel, names: AmqpNames): Promise<Letter[]> {
  const letters: Letter[] = [];
  for (const queue of brokerTestQueues) {
    await channel.consume(names.deadLetterQueue(queue), (message) => {
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
  }
  return letters;
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

describeWithRabbit('with RabbitMQ', () => {
  describeBroker('AMQP', () => connect());

  describe('AMQP broker', () => {
    let rabbit: Rabbit;
    beforeEach(async () => {
      rabbit = await connect({ deadlineMilliseconds: 1_500 });
    });
    afterEach(() => rabbit.close());

    const collect = async (queue: Queue, handle: (id: string) => Promise<void> | void = () => {}, prefetch = 20) => {
      const ids: string[] = [];
      const handlers = queue.contracts.map((contract) =>
        on(contract, async (_message, { id }) => {
          ids.push(id);
          await handle(id);
        }),
      );
      await rabbit.broker.subscribe(queue, handlers, { prefetch });
      return ids;
    };

    /** What the outbox does: again until the broker has it. */
    const insist = async (id: string): Promise<number> => {
      for (let attempts = 1; ; attempts += 1) {
        try {
          await rabbit.broker.publish(cancelled, { number: 1 }, id);
          return attempts;
        } catch (error) {
          if (attempts > 200) throw error;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    };

    test('a message waits on the broker for its first subscriber', async () => {
      await rabbit.broker.publish(placed, { number: 1 }, 'early');
      const billed = await collect(billing);
      await waitUntil('the messages', () => billed.length === 1);
      expect(billed).toEqual(['early']);
    });

    test.each([
      ['broken JSON', '{"number":', 'raw', cancelled.name],
      ['no text at all', '\u0000\u00ff', 'raw', cancelled.name],
      ['an empty body', '', 'raw', cancelled.name],
      ['another shape', '[1, 2]', 'raw', cancelled.name],
      ['an unknown contract', '{"number":1}', 'raw', 'shop.order.unheard-of.v1'],
      ['no id', '{"number":1}', undefined, cancelled.name],
    ])('raw bytes with %s are dead-lettered at once', async (_what, content, messageId, type) => {
      const packed = await collect(packing);
      const { aside, names } = rabbit;
      aside.publish(names.events, cancelled.name, Buffer.from(content, 'latin1'), {
        type,
        ...(messageId === undefined ? {} : { messageId }),
      });
      await waitUntil('the dead letter', () => rabbit.deadLetters(packing).length === 1);
      await insist('sound');
      await waitUntil('the messages', () => packed.length === 1);
      expect(packed).toEqual(['sound']);
    });

    test('a message without a type is read by its routing key', async () => {
      const packed = await collect(packing);
      const { aside, names } = rabbit;
      aside.publish(names.events, cancelled.name, Buffer.from('{"number":1}'), { messageId: 'plain' });
      await waitUntil('the messages', () => packed.length === 1);
      expect(packed).toEqual(['plain']);
    });

    test('nothing is lost when the connection is killed again and again', async () => {
      const packed = await collect(packing);
      const ids = Array.from({ length: 200 }, (_, number) => `message ${number}`);
      let confirmed = 0;
      const sending = (async () => {
        for (let start = 0; start < ids.length; start += 10) {
          await Promise.all(ids.slice(start, start + 10).map(insist));
          confirmed = start + 10;
        }
      })();
      for (const reached of [20, 60, 100, 140]) {
        await waitUntil('the confirmations', () => confirmed >= reached);
        rabbit.wire.cut();
      }
      await sending;
      await waitUntil('the messages', () => new Set(packed).size === ids.length);
      expect(rabbit.deadLetters(packing)).toEqual([]);
    }, 60_000);

    test('a message whose acknowledgement was lost comes again with the same id', async () => {
      const packed = await collect(packing, () => {
        if (packed.length === 1) rabbit.wire.cut();
      });
      await insist('twice');
      await waitUntil('the messages', () => packed.length >= 2);
      expect(new Set(packed)).toEqual(new Set(['twice']));
    });

    test('a publish rejects within the deadline while the broker is silent, and works again afterwards', async () => {
      const packed = await collect(packing);
      rabbit.wire.freeze();
      const started = Date.now();
      await expect(rabbit.broker.publish(cancelled, { number: 1 }, 'unheard')).rejects.toThrow('longer than');
      expect(Date.now() - started).toBeLessThan(2_500);
      rabbit.wire.thaw();
      await insist('heard');
      await waitUntil('the messages', () => packed.includes('heard'));
    });

    test('a consumer whose queue is deleted declares it again and goes on', async () => {
      const packed = await collect(packing);
      await rabbit.aside.deleteQueue(rabbit.names.queue(packing));
      await insist('after the deletion');
      await waitUntil('the messages', () => packed.length === 1);
      expect(packed).toEqual(['after the deletion']);
    });

    test('a publisher whose exchange is deleted declares it again and goes on', async () => {
      const packed = await collect(packing);
      await rabbit.aside.deleteExchange(rabbit.names.events);
      expect(await insist('after the deletion')).toBeGreaterThan(1);
      await waitUntil('the messages', () => packed.length === 1);
    });

    test('messages not yet handled at close are left for the next process', async () => {
      const gate = createGate();
      for (const id of ['one', 'two', 'three']) await insist(id);
      const first = await collect(packing, () => gate.opened, 1);
      await waitUntil('the messages', () => first.length === 1);
      const closed = rabbit.broker.close();
      gate.open();
      await closed;
      expect(first).toHaveLength(1);

      const other = await connectTo(rabbit.prefix, amqpUrl);
      const second: string[] = [];
      const record = (_message: unknown, { id }: MessageMeta) => Promise.resolve(void second.push(id));
      await other.subscribe(packing, [on(placed, record), on(cancelled, record)]);
      await waitUntil('the messages', () => second.length >= 2);
      await other.close();
      expect([...first, ...second].sort()).toEqual(['one', 'three', 'two']);
    });
  });

  test('a service starts while the broker is out of reach, and publishes reject', async () => {
    const wire = await startTcpProxy('127.0.0.1', 1);
    const url = `amqp://127.0.0.1:${wire.port}`;
    const broker = await connectAmqpBroker({ url, service: 'test', logger: silentLogger, deadlineMilliseconds: 300 });
    await expect(broker.publish(placed, { number: 1 }, 'nowhere')).rejects.toThrow('longer than 300 ms');
    await broker.close();
    await wire.close();
  });
});
