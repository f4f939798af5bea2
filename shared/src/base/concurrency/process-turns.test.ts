import { setImmediate as turn } from 'node:timers/promises';
import { duringCall } from './present-call';
import { stepsTaken, takeTurn } from './process-turns';

const callOf = (accountId: string, signal?: AbortSignal) => ({
  accountId,
  left: () => 1_000,
  ...(signal && { signal }),
});

/** Starts that many steps at one moment; returns those that have ended so far. */
function beginSteps(accountId: string, count: number, order: string[]) {
  return duringCall(callOf(accountId), () =>
    Promise.all(Array.from({ length: count }, () => takeTurn().then(() => order.push(accountId)))),
  );
}

test('a call with few steps does not wait', async () => {
  const order: string[] = [];
  void beginSteps('few', 20, order);
  await Promise.resolve();
  await Promise.resolve();
  expect(order).toHaveLength(20);
});

test('each further step waits for its own turn of the event loop', async () => {
  const order: string[] = [];
  const all = beginSteps('many', 120, order);
  const seen: number[] = [];
  while (order.length < 120) {
    await turn();
    seen.push(order.length);
  }
  await all;
  expect(seen.length).toBeGreaterThanOrEqual(100);
  expect(Math.max(...seen.slice(1).map((count, index) => count - (seen[index] ?? 0)))).toBe(1);
});

test('accounts take turns, however many steps one of them has', async () => {
  const order: string[] = [];
  const all = [beginSteps('greedy', 1_020, order), beginSteps('small', 25, order)];
  await all[1];
  expect(order.slice(40).filter((one) => one === 'greedy').length).toBeLessThanOrEqual(6);
  await all[0];
});

test('a call whose client disconnected stops at its next step', async () => {
  const leaving = new AbortController();
  const steps = duringCall(callOf('gone', leaving.signal), () =>
    Promise.allSettled(Array.from({ length: 30 }, () => takeTurn())),
  );
  leaving.abort(new Error('the client left'));
  const ends = await steps;
  expect(ends.map(({ status }) => status)).toEqual([
    ...Array<string>(20).fill('fulfilled'),
    ...Array<string>(10).fill('rejected'),
  ]);
});

test('work outside of a call does not wait', async () => {
  for (let step = 0; step < 1_000; step += 1) await takeTurn();
});

test("the requests of a call's steps can be batched until all steps are taken", async () => {
  const order: string[] = [];
  await duringCall(callOf('gathering'), async () => {
    const steps = Array.from({ length: 60 }, () => takeTurn().then(() => order.push('step')));
    await stepsTaken();
    order.push('gathered');
    await Promise.all(steps);
  });
  expect(order.indexOf('gathered')).toBe(60);
});
