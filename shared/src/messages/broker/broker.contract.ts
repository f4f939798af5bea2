import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { outOfDiskSpace } from '../../testing/full-store';
import { waitUntil } from '../../testing/wait-until';
import { createGate } from './testing/gate';
import type { Broker, MessageMeta } from './broker';
import type { Contract, Queue } from '../../contracts/contract';
import { on } from './broker';
import type { DeadLetter } from './dispatcher';

export interface Placed {
  readonly number: number;
}
export const placed: Contract<Placed> = { name: 'shop.order.placed.v1', schema: z.object({ number: z.int() }) };
export const cancelled: Contract<Placed> = { name: 'shop.order.cancelled.v1', schema: z.object({ number: z.int() }) };
const nobodysContract: Contract<Placed> = { name: 'shop.order.forgotten.v1', schema: z.object({ number: z.int() }) };

export const packing: Queue = { name: 'packing', contracts: [placed, cancelled] };
export const billing: Queue = { name: 'billing', contracts: [placed] };
export const brokerTestQueues: readonly Queue[] = [packing, billing];

/** The implementation under test, each time with queues of its own. */
export interface BrokerUnderTest {
  readonly broker: Broker;
  /** The dead letters of a queue so far; without `error` when the implementation does not transport it. */
  deadLetters(queue: Queue): readonly Omit<DeadLetter, 'error'>[];
  close(): Promise<void>;
}

interface Received {
  readonly message: unknown;
  readonly meta: MessageMeta;
}

/** The guarantees of `Broker`, which every implementation must keep. */
export function describeBroker(name: string, connect: () => Promise<BrokerUnderTest>): void {
  describe(`${name} broker`, () => {
    let under: BrokerUnderTest;
    let broker: Broker;
    beforeEach(async () => {
      under = await connect();
      broker = under.broker;
    });
    afterEach(() => under.close());

    const collect = async (queue: Queue, handle: (received: Received) => Promise<void> | void = () => {}) => {
      const received: Received[] = [];
      const record = async (message: unknown, meta: MessageMeta) => {
        received.push({ message, meta });
        await handle({ message, meta });
      };
      await broker.subscribe(
        queue,
        queue.contracts.map((contract) => on(contract, record)),
        { prefetch: 4 },
      );
      return received;
    };

    test.each([
      ['an outage of a store', Object.assign(new Error('connection refused'), { name: 'MongoServerSelectionError' })],
      ['a full store', outOfDiskSpace()],
    ])('a message survives %s, however often its handler fails', async (_what, outage) => {
      let outages = 3;
      const packed = await collect(packing, () => {
        if ((outages -= 1) < 0) return;
        throw outage;
      });
      await collect(billing);
      // An in-process broker rejects and the publisher retries; a durable broker keeps the message.
      await waitUntil('the publish', () =>
        broker.publish(placed, { number: 1 }, 'patient').then(
          () => true,
          () => false,
        ),
      );
      await waitUntil('the fourth attempt', () => packed.length === 4);
      expect(under.deadLetters(packing)).toEqual([]);
    });

    test('every bound queue gets the message with its id, and no other queue', async () => {
      const [packed, billed] = [await collect(packing), await collect(billing)];
      await broker.publish(placed, { number: 7 }, 'first');
      await broker.publish(cancelled, { number: 7 }, 'second');
      await waitUntil('the messages', () => packed.length === 2 && billed.length === 1);
      expect(packed).toContainEqual({ message: { number: 7 }, meta: { id: 'first' } });
      expect(packed).toContainEqual({ message: { number: 7 }, meta: { id: 'second' } });
      expect(billed).toEqual([{ message: { number: 7 }, meta: { id: 'first' } }]);
    });

    test('a redelivery has the same id', async () => {
      const packed = await collect(packing);
      await collect(billing);
      await broker.publish(placed, { number: 1 }, 'same');
      await broker.publish(placed, { number: 1 }, 'same');
      await waitUntil('the messages', () => packed.length === 2);
      expect(packed.map(({ meta }) => meta.id)).toEqual(['same', 'same']);
    });

    test("a handler's changes to its message object reach neither other handlers nor the sender", async () => {
      const seen: unknown[] = [];
      const spoil = ({ message }: Received) => {
        seen.push(structuredClone(message));
        (message as { number: number }).number = 0;
      };
      await collect(packing, spoil);
      await collect(billing, spoil);
      const message = { number: 3 };
      await broker.publish(placed, message, randomUUID());
      await waitUntil('the messages', () => seen.length === 2);
      expect(seen).toEqual([{ number: 3 }, { number: 3 }]);
      expect(message).toEqual({ number: 3 });
    });

    test('a handler that fails is retried once', async () => {
      const packed = await collect(packing, () => {
        if (packed.length === 1) throw new Error('out of tape');
      });
      await broker.publish(cancelled, { number: 2 }, 'retried');
      await waitUntil('the messages', () => packed.length === 2);
      expect(packed.map(({ meta }) => meta.id)).toEqual(['retried', 'retried']);
      await broker.close();
      expect(under.deadLetters(packing)).toEqual([]);
    });

    test("a failed handler's changes to the message object do not reach the retry", async () => {
      const seen: unknown[] = [];
      await collect(packing, ({ message }) => {
        seen.push(structuredClone(message));
        (message as { number: number }).number = 0;
        if (seen.length === 1) throw new Error('out of tape');
      });
      await broker.publish(cancelled, { number: 2 }, 'spoiled');
      await waitUntil('the second try', () => seen.length === 2);
      expect(seen).toEqual([{ number: 2 }, { number: 2 }]);
    });

    test('a handler that fails twice has its message dead-lettered, and the next one is handled', async () => {
      const packed = await collect(packing, ({ meta }) => {
        if (meta.id === 'broken') throw new Error('out of tape');
      });
      await broker.publish(cancelled, { number: 2 }, 'broken');
      await broker.publish(cancelled, { number: 3 }, 'whole');
      await waitUntil(
        'the dead letter',
        () => under.deadLetters(packing).length === 1 && packed.some(({ meta }) => meta.id === 'whole'),
      );
      expect(packed.filter(({ meta }) => meta.id === 'broken')).toHaveLength(2);
      expect(under.deadLetters(packing)).toMatchObject([
        { queue: 'packing', contract: cancelled.name, id: 'broken', message: { number: 2 } },
      ]);
    });

    test('a failing queue does not keep the message from another', async () => {
      await collect(packing, () => {
        throw new Error('out of tape');
      });
      const billed = await collect(billing);
      await broker.publish(placed, { number: 2 }, 'half');
      await waitUntil('the dead letter', () => under.deadLetters(packing).length === 1 && billed.length === 1);
      expect(under.deadLetters(billing)).toEqual([]);
    });

    test('a message that does not fit its schema is dead-lettered at once', async () => {
      const packed = await collect(packing);
      await broker.publish(cancelled, { number: 'seven' } as unknown as Placed, 'malformed');
      await waitUntil('the dead letter', () => under.deadLetters(packing).length === 1);
      expect(under.deadLetters(packing)).toMatchObject([{ id: 'malformed', message: { number: 'seven' } }]);
      expect(packed).toEqual([]);
    });

    test('publishing a contract without a bound queue is refused', async () => {
      await expect(broker.publish(nobodysContract, { number: 1 }, randomUUID())).rejects.toThrow(nobodysContract.name);
    });

    test('a subscription that lacks a handler is refused', async () => {
      await expect(broker.subscribe(packing, [on(placed, async () => {})])).rejects.toThrow(cancelled.name);
    });

    test('no more messages than the prefetch are handled at once', async () => {
      const gate = createGate();
      let atWork = 0;
      let most = 0;
      const packed = await collect(packing, async () => {
        most = Math.max(most, (atWork += 1));
        await gate.opened;
        atWork -= 1;
      });
      const sent = Promise.all(
        Array.from({ length: 30 }, (_, number) => broker.publish(cancelled, { number }, `${number}`)),
      );
      await waitUntil('the handlers to be at work', () => atWork === 4);
      gate.open();
      await sent;
      await waitUntil('the messages', () => packed.length === 30);
      expect(most).toBe(4);
    });

    test('close waits for running handlers', async () => {
      const gate = createGate();
      let finished = false;
      const packed = await collect(packing, async () => {
        await gate.opened;
        finished = true;
      });
      const sent = broker.publish(cancelled, { number: 1 }, randomUUID());
      await waitUntil('the messages', () => packed.length === 1);
      const closed = broker.close().then(() => finished);
      gate.open();
      expect(await closed).toBe(true);
      await sent;
    });

    test('when a running handler publishes while the broker closes, neither message is lost', async () => {
      const gate = createGate();
      const packed = await collect(packing, async ({ meta }) => {
        if (meta.id !== 'first') return;
        await gate.opened;
        await broker.publish(placed, { number: 2 }, 'next');
      });
      await collect(billing);
      const sent = broker.publish(cancelled, { number: 1 }, 'first').then(
        () => 'taken',
        (error: Error) => error.message,
      );
      await waitUntil('the message', () => packed.length === 1);
      const closed = broker.close();
      gate.open();
      await closed;
      // A durable broker accepted both; an in-process one rejects, and the sender keeps its message.
      expect(['taken', 'The broker is closed']).toContain(await sent);
      expect(under.deadLetters(packing)).toEqual([]);
    });

    test('after close nothing can be published or subscribed', async () => {
      await broker.close();
      await expect(broker.publish(placed, { number: 1 }, randomUUID())).rejects.toThrow('closed');
      await expect(broker.subscribe(billing, [on(placed, async () => {})])).rejects.toThrow('closed');
      await broker.close();
    });

    test('500 messages published at once all arrive', async () => {
      const [packed, billed] = [await collect(packing), await collect(billing)];
      const numbers = Array.from({ length: 500 }, (_, number) => number);
      await Promise.all(numbers.map((number) => broker.publish(placed, { number }, `${number}`)));
      await waitUntil('the messages', () => packed.length >= 500 && billed.length >= 500);
      for (const received of [packed, billed]) {
        const arrived = received.map(({ meta }) => Number(meta.id)).sort((a, b) => a - b);
        expect([...new Set(arrived)]).toEqual(numbers);
      }
    });
  });
}
