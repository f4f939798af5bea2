import { waitUntil } from '@itsm/shared/testing/wait-until';
import { createHostGate } from './host-gate';
import type { HostGateOptions, Slot } from './host-gate';

function start(options: Partial<HostGateOptions> = {}) {
  const clock = { now: 0 };
  const roomy: string[] = [];
  const gate = createHostGate({ overall: 100, open: 500, perHost: 50, elapsed: () => clock.now, ...options });
  gate.onRoom((host) => roomy.push(host));
  return { gate, clock, roomy };
}

const quick = { answered: true, milliseconds: 5 };
const hung = { answered: false, milliseconds: 10_000 };
const endAll = (slots: readonly Slot[], end: typeof quick) => slots.forEach((slot) => slot.leave(end));

test('a host starts with few concurrent calls and earns more by answering quickly, up to its limit', () => {
  const { gate } = start({ perHost: 10 });
  const first = gate.take('a', 'first', 100);
  expect(first).toHaveLength(4);
  endAll(first, quick);
  const second = gate.take('a', 'first', 100);
  expect(second).toHaveLength(8);
  endAll(second, quick);
  expect(gate.take('a', 'first', 100)).toHaveLength(10);
});

test('a slow host keeps a small concurrency limit', () => {
  const { gate } = start();
  for (let round = 0; round < 5; round += 1) endAll(gate.take('a', 'first', 100), quick);
  for (let round = 0; round < 20; round += 1) {
    endAll(gate.take('a', 'first', 5), { answered: true, milliseconds: 4_000 });
  }
  expect(gate.take('a', 'first', 100)).toHaveLength(10);
});

test('five calls in a row without an answer open the circuit; later a probe goes out, and its success closes it', () => {
  const { gate, clock } = start();
  endAll(gate.take('a', 'first', 4), hung);
  expect(gate.states().get('a')).toBe('slowed');
  endAll(gate.take('a', 'first', 100), hung);
  expect(gate.take('a', 'first', 100)).toHaveLength(0);
  expect(gate.states().get('a')).toBe('open');
  expect(gate.take('b', 'first', 100)).toHaveLength(4);
  clock.now = 30_000;
  const probe = gate.take('a', 'first', 100);
  expect(probe).toHaveLength(1);
  endAll(probe, hung);
  clock.now += 59_999;
  expect(gate.take('a', 'first', 100)).toHaveLength(0);
  clock.now += 1;
  endAll(gate.take('a', 'first', 100), quick);
  expect(gate.take('a', 'first', 100).length).toBeGreaterThan(1);
});

test('an error status is an answer and does not open the circuit', () => {
  const { gate } = start();
  for (let count = 0; count < 20; count += 1) endAll(gate.take('a', 'first', 4), quick);
  expect(gate.states().get('a')).toBe('well');
});

test('retries get only a share of the slots, and first attempts leave them some', () => {
  const { gate } = start({ overall: 20, perHost: 4 });
  const takeAll = (lane: 'first' | 'retry', prefix: string) =>
    Array.from({ length: 20 }, (_none, index) => gate.take(`${prefix}${index}`, lane, 4).length).reduce(
      (a, b) => a + b,
    );
  expect(takeAll('retry', 'r')).toBe(10);
  expect(takeAll('first', 'f')).toBe(10);
  const other = start({ overall: 20, perHost: 4 });
  const firsts = Array.from({ length: 20 }, (_none, index) => other.gate.take(`f${index}`, 'first', 4)).flat();
  expect(firsts).toHaveLength(18);
  expect(other.gate.take('r', 'retry', 4)).toHaveLength(2);
});

test('waiting calls get slots host by host, in turn', async () => {
  const { gate } = start({ overall: 2, perHost: 4 });
  const [one] = [gate.take('x', 'first', 1)];
  gate.take('y', 'first', 1);
  const order: string[] = [];
  for (const host of ['a', 'a', 'a', 'b'])
    void gate.enter(host).then((slot) => slot && order.push(host) && slot.leave(quick));
  expect(order).toEqual([]);
  endAll(one, quick);
  await waitUntil('all of them', () => order.length === 4);
  expect(order.indexOf('b')).toBeLessThan(3);
});

test('waiting for a stuck host ends at once, for a moving one after a while', async () => {
  const { gate, clock } = start();
  gate.take('a', 'first', 4);
  clock.now = 251;
  expect(await gate.enter('a')).toBeUndefined();
  endAll(gate.take('b', 'first', 4).slice(0, 1), quick);
  gate.take('b', 'first', 10);
  expect(await gate.enter('b')).toBeUndefined();
});

test('after a second a call frees its overall slot, but not the slot of its host', async () => {
  const { gate, roomy } = start({ overall: 4, perHost: 4 });
  expect(gate.take('a', 'first', 4)).toHaveLength(4);
  expect(gate.take('b', 'first', 1)).toHaveLength(0);
  await waitUntil('a second to pass', () => roomy.length === 4);
  expect(gate.take('b', 'first', 4)).toHaveLength(4);
  expect(gate.take('a', 'first', 1)).toHaveLength(0);
  expect(gate.calls()).toBe(8);
});

test('the health of a host is tracked per account', () => {
  const { gate } = start();
  for (let round = 0; round < 3; round += 1) endAll(gate.take('a mallory', 'first', 4), hung);
  expect(gate.take('a mallory', 'first', 4)).toHaveLength(0);
  expect(gate.take('a wdc', 'first', 4)).toHaveLength(4);
  expect([...gate.states()]).toEqual([['a', 'open']]);
});

test('the host limit holds for all accounts together', () => {
  const { gate } = start({ perHost: 6 });
  expect(gate.take('a one', 'first', 4)).toHaveLength(4);
  const others = gate.take('a other', 'first', 4);
  expect(others).toHaveLength(2);
  expect(gate.take('a third', 'first', 4)).toHaveLength(0);
  endAll(others, quick);
  expect(gate.take('a third', 'first', 4)).toHaveLength(2);
});

test('an account with many hosts gets a quarter of the calls at most', () => {
  const { gate } = start({ overall: 100, open: 40 });
  const all = Array.from({ length: 20 }, (_none, index) => gate.take(`h${index} mallory`, 'first', 4)).flat();
  expect(all).toHaveLength(10);
  expect(gate.take('a wdc', 'first', 4)).toHaveLength(4);
});

test('closing rejects all waiting calls at once', async () => {
  const { gate } = start({ overall: 2 });
  gate.take('a', 'first', 2);
  const waiting = gate.enter('b');
  gate.close();
  const later = new Promise((resolve) => setImmediate(resolve, 'it still waits'));
  expect(await Promise.race([waiting, later])).toBeUndefined();
  expect(await gate.enter('c')).toBeUndefined();
  expect(gate.take('c', 'first', 1)).toEqual([]);
});

test('hosts in the default state are forgotten when there are too many', () => {
  const { gate } = start();
  for (let count = 0; count < 10_500; count += 1) endAll(gate.take(`h${count}`, 'first', 1), quick);
  expect(gate.states().size).toBeLessThanOrEqual(10_000);
});

test('a host that has failed is remembered, however many others come', () => {
  const { gate } = start();
  endAll(gate.take('a', 'first', 1), hung);
  for (let count = 0; count < 10_500; count += 1) endAll(gate.take(`h${count}`, 'first', 1), quick);
  expect(gate.states().get('a')).toBe('slowed');
});
