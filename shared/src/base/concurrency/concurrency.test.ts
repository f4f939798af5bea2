import { setImmediate as turn } from 'node:timers/promises';
import { forAll, createTurns } from './slots';

/** Work items that the test finishes. */
function createWork() {
  const waiting = new Map<number, { done: () => void; failed: (error: Error) => void }>();
  let most = 0;
  return {
    started: [] as number[],
    most: () => most,
    work(item: number): Promise<void> {
      this.started.push(item);
      return new Promise<void>((done, failed) => {
        waiting.set(item, { done, failed });
        most = Math.max(most, waiting.size);
      });
    },
    async finish(item: number, error?: Error) {
      const found = waiting.get(item);
      waiting.delete(item);
      if (error) found?.failed(error);
      else found?.done();
      await turn();
    },
  };
}

test('the next item starts as soon as one is done, whatever the state of earlier ones', async () => {
  const job = createWork();
  const all = forAll(2, [1, 2, 3, 4], (item) => job.work(item));
  await turn();
  expect(job.started).toEqual([1, 2]);
  // The first one is slow, and must not delay others.
  for (const item of [2, 3, 4]) await job.finish(item);
  expect(job.started).toEqual([1, 2, 3, 4]);
  expect(job.most()).toBe(2);
  await job.finish(1);
  await all;
});

test('after a failure no further item starts, and the failure is the result', async () => {
  const job = createWork();
  const all = forAll(2, [1, 2, 3, 4], (item) => job.work(item)).catch((error: unknown) => error);
  await turn();
  await job.finish(2, new Error('broken'));
  await job.finish(1);
  expect(job.started).toEqual([1, 2]);
  expect(await all).toEqual(new Error('broken'));
});

test('work on one key is serialised, after a failure too; other keys go on', async () => {
  const inTurn = createTurns();
  const job = createWork();
  const first = inTurn(1, () => job.work(11)).catch((error: unknown) => error);
  const second = inTurn(1, () => job.work(12));
  const other = inTurn(2, () => job.work(21));
  await turn();
  expect(job.started).toEqual([11, 21]);
  await job.finish(11, new Error('broken'));
  expect(await first).toEqual(new Error('broken'));
  expect(job.started).toEqual([11, 21, 12]);
  await job.finish(12);
  await job.finish(21);
  await Promise.all([second, other]);
});
