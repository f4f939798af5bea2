import { waitUntil } from '@itsm/shared/testing/wait-until';
import { createHostGate } from './host-gate';
import type { HostGateOptions, Slot } from './host-gate';

function start(options: Partial<HostGateOptions> = {}) {
  const clock = { now: 0 };
  const roomy: string[] = [];
  const gate = createHostGate({
    overall: 100,
    open: 500,
    perHost: 50,
    elapsed: () => clock.now,
    onRoom: (host) => roomy.push(host),
    ...options,
  });
  return { gate, clock, roomy };
}

const quick = { answered: true, milliseconds: 5 };
const hung = { answered: false, milliseconds: 10_000 };
const endAll = (slots: readonly Slot[], end: typeof quick) => slots.forEach((slot) => slot.leave(end));

test('a host starts with few calls and earns more by answering quickly, up to its bound', () => {
  const { gate } = start({ perHost: 10 });
  const first = gate.take('a', 'first', 100);
  expect(first).toHaveLength(4);
  endAll(first, quick);
  const second = gate.take('a', 'first', 100);
  expect(second).toHaveLength(8);
  endAll(second, quick);
  expect(gate.take('a', 'first', 100)).toHaveLength(10);
});

test('a host that takes long to answer keeps a modest number of calls', () => {
  const { gate } = start();
  for (let round = 0; round < 5; round += 1) endAll(gate.take('a', 'first', 100), quick);
  for (let round = 0; round < 20; round += 1) {
    endAll(gate.take('a', 'first', 5), { answered: true, milliseconds: 4_000 });
  }
  expect(gate.take('a', 'first', 100)).toHaveLength(10);
});

test('five calls in a row without an answer end the calls; then one goes out as a probe, and its success lets the others out', () => {
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

test('a status that reports a failure is an answer and closes no host', () => {
  const { gate } = start();
  for (let count = 0; count < 20; count += 1) endAll(gate.take('a', 'first', 4), quick);
  expect(gate.states().get('a')).toBe('well');
});

test('retries take a part of the room only, and first attempts leave a part to them', () => {
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

test('who waits for room gets it in turns of the hosts', async () => {
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

test('who waits for a host that does not move is sent away at once, for one that moves after a while', async () => {
  const { gate, clock } = start();
  gate.take('a', 'first', 4);
  clock.now = 251;
  expect(await gate.enter('a')).toBeUndefined();
  endAll(gate.take('b', 'first', 4).slice(0, 1), quick);
  gate.take('b', 'first', 10);
  expect(await gate.enter('b')).toBeUndefined();
});

test('a call that takes more than a second gives its place to others, not the one of its host', async () => {
  const { gate, roomy } = start({ overall: 4, perHost: 4 });
  expect(gate.take('a', 'first', 4)).toHaveLength(4);
  expect(gate.take('b', 'first', 1)).toHaveLength(0);
  await waitUntil('a second to pass', () => roomy.length === 4);
  expect(gate.take('b', 'first', 4)).toHaveLength(4);
  expect(gate.take('a', 'first', 1)).toHaveLength(0);
  expect(gate.calls()).toBe(8);
});

test('what a host does to one account is not held against another', () => {
  const { gate } = start();
  for (let round = 0; round < 3; round += 1) endAll(gate.take('a mallory', 'first', 4), hung);
  expect(gate.take('a mallory', 'first', 4)).toHaveLength(0);
  expect(gate.take('a wdc', 'first', 4)).toHaveLength(4);
  expect([...gate.states()]).toEqual([['a', 'open']]);
});

test('all accounts together call a host no more often than its bound', () => {
  const { gate } = start({ perHost: 6 });
  expect(gate.take('a one', 'first', 4)).toHaveLength(4);
  const others = gate.take('a other', 'first', 4);
  expect(others).toHaveLength(2);
  expect(gate.take('a third', 'first', 4)).toHaveLength(0);
  endAll(others, quick);
  expect(gate.take('a third', 'first', 4)).toHaveLength(2);
});

test('an account that names many hosts takes a quarter of the calls at most', () => {
  const { gate } = start({ overall: 100, open: 40 });
  const all = Array.from({ length: 20 }, (_none, index) => gate.take(`h${index} mallory`, 'first', 4)).flat();
  expect(all).toHaveLength(10);
  expect(gate.take('a wdc', 'first', 4)).toHaveLength(4);
});

test('closing sends everybody away', async () => {
  const { gate } = start({ overall: 2 });
  gate.take('a', 'first', 2);
  const waiting = gate.enter('b');
  gate.close();
  expect(await waiting).toBeUndefined();
  expect(await gate.enter('c')).toBeUndefined();
  expect(gate.take('c', 'first', 1)).toEqual([]);
});

test('hosts of which nothing is known are forgotten when there are too many', () => {
  const { gate } = start();
  for (let count = 0; count < 10_500; count += 1) endAll(gate.take(`h${count}`, 'first', 1), quick);
  expect(gate.states().size).toBeLessThanOrEqual(10_000);
});
