import { createBatcher } from './batcher';
import type { BatcherOptions } from './batcher';

/** A batcher over a fake store whose answers the test gives; `runs` are the batches it received. */
function startBatcher(options?: BatcherOptions) {
  const runs: (readonly number[])[] = [];
  const releases: (() => void)[] = [];
  const batch = createBatcher<number, string>(async (items) => {
    runs.push(items);
    await new Promise<void>((resolve) => releases.push(resolve));
    if (items.includes(13)) throw new Error('out of reach');
    return items.map((item) => `answer to ${item}`);
  }, options);
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    batch,
    runs,
    nextTurn,
    release: async () => {
      releases.shift()?.();
      await nextTurn();
    },
  };
}

test('items of one turn, and items that arrive while the store is busy, share a round trip; each gets its own answer', async () => {
  const { batch, runs, nextTurn, release } = startBatcher();
  const first = [batch(1), batch(2)];
  await nextTurn();
  const later = [batch(3), batch(4), batch(5)];
  await nextTurn();
  expect(runs).toEqual([[1, 2]]);
  await release();
  expect(runs).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  await release();
  expect(await Promise.all([...first, ...later])).toEqual([1, 2, 3, 4, 5].map((n) => `answer to ${n}`));
});

test('with two at once, a second batch does not wait for the first, and a third waits for either', async () => {
  const { batch, runs, nextTurn, release } = startBatcher({ concurrency: 2 });
  const all = [batch(1), batch(2)];
  await nextTurn();
  all.push(batch(3));
  await nextTurn();
  all.push(batch(4), batch(5));
  await nextTurn();
  expect(runs).toEqual([[1, 2], [3]]);
  await release();
  expect(runs).toEqual([[1, 2], [3], [4, 5]]);
  await release();
  await release();
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5].map((n) => `answer to ${n}`));
});

test('a failed batch rejects all of its items, and the next batch is sent', async () => {
  const { batch, runs, nextTurn, release } = startBatcher({ most: 2 });
  const outcomes = Promise.allSettled([batch(12), batch(13), batch(14)]);
  await nextTurn();
  await release();
  await release();
  expect(runs).toEqual([[12, 13], [14]]);
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

test('a gathering batch waits for more items, up to its limit of time or size', async () => {
  const timers: { readonly milliseconds: number; readonly end: () => void; isStopped: boolean }[] = [];
  const { batch, runs, nextTurn, release } = startBatcher({
    most: 3,
    gatherMilliseconds: 30,
    startTimer(end, milliseconds) {
      const timer = { milliseconds, end, isStopped: false };
      timers.push(timer);
      return () => (timer.isStopped = true);
    },
  });
  const first = [batch(1)];
  await nextTurn();
  first.push(batch(2));
  await nextTurn();
  expect(runs).toEqual([]);
  expect(timers).toMatchObject([{ milliseconds: 30, isStopped: false }]);
  timers[0]?.end();
  await nextTurn();
  expect(runs).toEqual([[1, 2]]);
  await release();
  expect(await Promise.all(first)).toEqual(['answer to 1', 'answer to 2']);

  const three = [batch(3), batch(4)];
  await nextTurn();
  expect(runs).toHaveLength(1);
  three.push(batch(5));
  await nextTurn();
  expect(runs).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  expect(timers).toMatchObject([{}, { isStopped: true }]);
  await release();
  await Promise.all(three);
});
