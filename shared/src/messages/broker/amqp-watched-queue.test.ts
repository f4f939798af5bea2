import { register } from 'prom-client';
import { waitUntil } from '../../testing/wait-until';
import { cancelled, packing } from './broker.contract';
import { createGate } from './testing/gate';
import { connectToRabbit } from './testing/rabbit';
import type { Rabbit } from './testing/rabbit';

const amqpUrl = process.env.AMQP_URL ?? '';

(amqpUrl === '' ? describe.skip : describe)('the queues of RabbitMQ', () => {
  let rabbit: Rabbit;
  beforeEach(async () => {
    rabbit = await connectToRabbit(amqpUrl, { deadlineMilliseconds: 1_500 });
  });
  afterEach(() => rabbit.close());

  /** The metrics of the queue `packing`. */
  const shown = async (): Promise<string> => {
    const text = await register.metrics();
    const numbers = text.matchAll(/^messaging_queue_(\w+)\{queue="packing"\} (\d+)$/gm);
    return [...numbers].map(([, what = '', number = '']) => `${what} ${number}`).join(', ');
  };
  const isShown = (messages: number, consumers: number, deadLetters: number): Promise<boolean> => {
    const expected = `messages ${messages}, consumers ${consumers}, dead_letters ${deadLetters}`;
    return waitUntil(expected, async () => (await shown()) === expected);
  };

  test("the metrics have a queue's depth and number of consumers", async () => {
    const gate = createGate();
    const packed = await rabbit.collect(packing, () => gate.opened, 1);
    for (const id of ['one', 'two', 'three']) await rabbit.insist(id);
    await isShown(2, 1, 0);
    gate.open();
    await waitUntil('the messages', () => packed.length === 3);
    await isShown(0, 1, 0);
  });

  test('a poison message is reported as a dead letter', async () => {
    const { aside, names } = rabbit;
    await rabbit.leaveDeadLetters();
    await rabbit.insist('deadly');
    const isLeft = async () => (await aside.checkQueue(names.deadLetterQueue(packing))).messageCount === 1;
    while (!(await isLeft())) {
      const channel = await rabbit.openChannel();
      await channel.get(names.queue(packing));
      await channel.close();
    }
    const packed = await rabbit.collect(packing);
    await isShown(0, 1, 1);
    expect(packed).toEqual([]);
  });

  test('a queue that cannot be consumed is reported', async () => {
    const { aside, names } = rabbit;
    await aside.deleteQueue(names.queue(packing));
    await aside.assertQueue(names.queue(packing), { durable: true });
    const packed = await rabbit.collect(packing);
    aside.sendToQueue(names.queue(packing), Buffer.from('{"number":1}'), {
      type: cancelled.name,
      messageId: 'stuck',
    });
    await isShown(1, 0, 0);
    expect(packed).toEqual([]);
  });

  test('checking queues that do not exist is harmless', async () => {
    const { aside, names } = rabbit;
    const packed = await rabbit.collect(packing);
    await aside.deleteQueue(names.deadLetterQueue(packing));
    await isShown(0, 1, 0);
    await rabbit.insist('afterwards');
    await waitUntil('the messages', () => packed.length === 1);
    await isShown(0, 1, 0);
  });

  test('the metrics leave out queues while the broker is silent, and have all of them afterwards', async () => {
    await rabbit.collect(packing);
    await isShown(0, 1, 0);
    rabbit.wire.freeze();
    expect(await shown()).toBe('');
    rabbit.wire.thaw();
    await isShown(0, 1, 0);
  });
});
