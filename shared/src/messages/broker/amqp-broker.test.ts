import { silentLogger } from '../../observing/logs/logger';
import { connectAmqpBroker } from './amqp-broker';
import { waitUntil } from '../../testing/wait-until';
import { createGate } from './testing/gate';
import { on } from './broker';
import type { MessageMeta } from './broker';
import { billing, cancelled, describeBroker, packing, placed } from './broker.contract';
import { connectTo, connectToRabbit } from './testing/rabbit';
import type { Rabbit } from './testing/rabbit';
import { startTcpProxy } from './testing/tcp-proxy';

// Set by scripts/rabbitmq.mjs. Without it these tests are skipped.
const amqpUrl = process.env.AMQP_URL ?? '';
const describeWithRabbit = amqpUrl === '' ? describe.skip : describe;

describeWithRabbit('with RabbitMQ', () => {
  describeBroker('AMQP', () => connectToRabbit(amqpUrl));

  describe('AMQP broker', () => {
    let rabbit: Rabbit;
    beforeEach(async () => {
      rabbit = await connectToRabbit(amqpUrl, { deadlineMilliseconds: 1_500 });
    });
    afterEach(() => rabbit.close());

    test('a message waits on the broker for its first subscriber', async () => {
      await rabbit.broker.publish(placed, { number: 1 }, 'early');
      const billed = await rabbit.collect(billing);
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
      const packed = await rabbit.collect(packing);
      const { aside, names } = rabbit;
      aside.publish(names.events, cancelled.name, Buffer.from(content, 'latin1'), {
        type,
        ...(messageId === undefined ? {} : { messageId }),
      });
      await waitUntil('the dead letter', () => rabbit.deadLetters(packing).length === 1);
      await rabbit.insist('sound');
      await waitUntil('the messages', () => packed.length === 1);
      expect(packed).toEqual(['sound']);
    });

    test('a message without a type is identified by its routing key', async () => {
      const packed = await rabbit.collect(packing);
      const { aside, names } = rabbit;
      aside.publish(names.events, cancelled.name, Buffer.from('{"number":1}'), { messageId: 'plain' });
      await waitUntil('the messages', () => packed.length === 1);
      expect(packed).toEqual(['plain']);
    });

    test('no message is lost when the connection is killed repeatedly', async () => {
      const packed = await rabbit.collect(packing);
      const ids = Array.from({ length: 200 }, (_, number) => `message ${number}`);
      let confirmed = 0;
      const sending = (async () => {
        for (let start = 0; start < ids.length; start += 10) {
          await Promise.all(ids.slice(start, start + 10).map(rabbit.insist));
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
    });

    test('a message whose acknowledgement was lost is redelivered with the same id', async () => {
      const packed = await rabbit.collect(packing, () => {
        if (packed.length === 1) rabbit.wire.cut();
      });
      await rabbit.insist('twice');
      await waitUntil('the messages', () => packed.length >= 2);
      expect(new Set(packed)).toEqual(new Set(['twice']));
    });

    test('a publish rejects within the deadline while the broker is silent, and works again afterwards', async () => {
      const packed = await rabbit.collect(packing);
      rabbit.wire.freeze();
      await expect(rabbit.broker.publish(cancelled, { number: 1 }, 'unheard')).rejects.toThrow('longer than');
      rabbit.wire.thaw();
      await rabbit.insist('heard');
      await waitUntil('the messages', () => packed.includes('heard'));
    });

    test('a consumer whose queue was deleted declares it again and continues', async () => {
      const packed = await rabbit.collect(packing);
      await rabbit.aside.deleteQueue(rabbit.names.queue(packing));
      await rabbit.insist('after the deletion');
      await waitUntil('the messages', () => packed.length === 1);
      expect(packed).toEqual(['after the deletion']);
    });

    test('a publisher whose exchange was deleted declares it again and continues', async () => {
      const packed = await rabbit.collect(packing);
      await rabbit.aside.deleteExchange(rabbit.names.events);
      expect(await rabbit.insist('after the deletion')).toBeGreaterThan(1);
      await waitUntil('the messages', () => packed.length === 1);
    });

    test('unhandled messages stay on the broker at close', async () => {
      const gate = createGate();
      for (const id of ['one', 'two', 'three']) await rabbit.insist(id);
      const first = await rabbit.collect(packing, () => gate.opened, 1);
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

  test('a service starts while the broker is unreachable, and publishes reject', async () => {
    const wire = await startTcpProxy('127.0.0.1', 1);
    const url = `amqp://127.0.0.1:${wire.port}`;
    const broker = await connectAmqpBroker({ url, service: 'test', logger: silentLogger, deadlineMilliseconds: 300 });
    await expect(broker.publish(placed, { number: 1 }, 'nowhere')).rejects.toThrow('longer than 300 ms');
    await broker.close();
    await wire.close();
  });
});
