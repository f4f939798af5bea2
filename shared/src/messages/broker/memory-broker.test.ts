import { setImmediate as turn } from 'node:timers/promises';
import { silentLogger } from '../../observing/logs/logger';
import { waitUntil } from '../../testing/wait-until';
import { createGate } from './testing/gate';
import { on } from './broker';
import { billing, brokerTestQueues, cancelled, describeBroker, packing, placed } from './broker.contract';
import type { DeadLetter } from './dispatcher';
import { createMemoryBroker } from './memory-broker';

const connect = () => {
  const letters: DeadLetter[] = [];
  const broker = createMemoryBroker({
    logger: silentLogger,
    queues: brokerTestQueues,
    onDeadLetter: (letter) => void letters.push(letter),
    retryMilliseconds: 1,
  });
  return { broker, letters };
};

describeBroker('memory', () => {
  const { broker, letters } = connect();
  return Promise.resolve({
    broker,
    deadLetters: ({ name }) => letters.filter(({ queue }) => queue === name),
    close: () => broker.close(),
  });
});

describe('memory broker', () => {
  test('a publish waits for the acknowledgement of every queue', async () => {
    const { broker } = connect();
    const gate = createGate();
    let settled = false;
    await broker.subscribe(packing, [on(placed, async () => {}), on(cancelled, async () => {})]);
    await broker.subscribe(billing, [on(placed, () => gate.opened)]);
    const published = broker.publish(placed, { number: 1 }, 'waits').then(() => void (settled = true));
    await turn();
    expect(settled).toBe(false);
    gate.open();
    await published;
  });

  test('a publish is refused while a bound queue has no subscriber, and no other queue gets it', async () => {
    const { broker } = connect();
    let billed = 0;
    await broker.subscribe(billing, [on(placed, () => Promise.resolve(void (billed += 1)))]);
    await expect(broker.publish(placed, { number: 1 }, 'early')).rejects.toThrow('packing has no subscriber');
    expect(billed).toBe(0);
  });

  test('a publish waits until the dead letter is stored', async () => {
    const { broker, letters } = connect();
    const fail = () => Promise.reject(new Error('out of tape'));
    await broker.subscribe(packing, [on(placed, fail), on(cancelled, fail)]);
    await broker.publish(cancelled, { number: 1 }, 'lost cause');
    expect(letters).toMatchObject([{ id: 'lost cause', error: new Error('out of tape') }]);
  });

  test('messages that wait for a free handler are refused when the broker closes', async () => {
    const { broker } = connect();
    const gate = createGate();
    let atWork = 0;
    const wait = async () => {
      atWork += 1;
      await gate.opened;
    };
    await broker.subscribe(packing, [on(placed, wait), on(cancelled, wait)], { prefetch: 1 });
    const first = broker.publish(cancelled, { number: 1 }, 'at work');
    await waitUntil('the handlers to be at work', () => atWork === 1);
    const second = expect(broker.publish(cancelled, { number: 2 }, 'waiting')).rejects.toThrow('closed');
    const closed = broker.close();
    gate.open();
    await Promise.all([first, second, closed]);
    expect(atWork).toBe(1);
  });
});
