import { setImmediate as turn } from 'node:timers/promises';
import { createLoopTurns } from './loop-turns';

test('a turn that is free is taken at once; of many at one moment each has its own, owners one after the other', async () => {
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

test('who may not go on in the present turn waits for the next', async () => {
  const turns = createLoopTurns();
  let isOver = false;
  void turns.wait('a').then(() => (isOver = true));
  await Promise.resolve();
  expect(isOver).toBe(false);
  await turn();
  await turn();
  expect(isOver).toBe(true);
});
