import { setImmediate as turn } from 'node:timers/promises';
import { createLoopTurns } from './loop-turns';

test('a free turn is taken at once; concurrent work gets separate turns, round-robin over owners', async () => {
  const turns = createLoopTurns();
  const order: string[] = [];
  const take = (owner: string) => {
    const waiting = turns.take(owner);
    if (waiting) void waiting.then(() => order.push(owner));
    else order.push(owner);
  };
  for (let n = 0; n < 5; n += 1) take('greedy');
  expect(order).toEqual(['greedy']);
  take('small');
  const seen = [];
  while (order.length < 6) {
    await turn();
    seen.push(order.length);
  }
  expect(order).toEqual(['greedy', 'greedy', 'small', 'greedy', 'greedy', 'greedy']);
  expect(seen).toEqual([...new Set(seen)]);
  await turn();
  expect(turns.take('greedy')).toBeUndefined();
});

test('wait never takes the current turn', async () => {
  const turns = createLoopTurns();
  let isOver = false;
  void turns.wait('a').then(() => (isOver = true));
  await Promise.resolve();
  expect(isOver).toBe(false);
  await turn();
  await turn();
  expect(isOver).toBe(true);
});
