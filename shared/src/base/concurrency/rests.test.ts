import { createRests } from './rests';
import type { Load } from './rests';

/** A clock and a timer that the test moves, on a machine that is busy. */
function stopwatch() {
  let now = 0;
  const free = { cores: 0, coresIdle: 0, loop: 0, loopIdle: 0 };
  const rests: { readonly milliseconds: number; readonly end: () => void }[] = [];
  return {
    rests,
    elapsed: () => now,
    load: () => ({ ...free }),
    /** What the machine does beside the work. */
    passes(more: Partial<Load>) {
      for (const [name, milliseconds] of Object.entries(more)) free[name as keyof Load] += milliseconds;
    },
    startTimer(end: () => void, milliseconds: number) {
      rests.push({ milliseconds, end });
      return () => undefined;
    },
    work: (milliseconds: number, result: string) => () => {
      now += milliseconds;
      return Promise.resolve(result);
    },
  };
}

/** All that follows without waiting has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a piece of work is followed by a rest as long as the piece', async () => {
  const watch = stopwatch();
  const rests = createRests(watch);
  let result: string | undefined;
  const first = rests.after(watch.work(80, 'done')).then((value) => (result = value));
  await settled();
  watch.rests[0]?.end();
  await settled();
  expect(watch.rests.map(({ milliseconds }) => milliseconds)).toEqual([5, 75]);
  expect(result).toBeUndefined();
  watch.rests[1]?.end();
  await first;
  expect(result).toBe('done');
});

test('rests are short while neither the machine nor the process does anything else in them', async () => {
  const watch = stopwatch();
  const rests = createRests(watch);
  /** The rests after a piece of work, while the first of them shows this. */
  async function restsAfter(shown: Load): Promise<number[]> {
    const earlier = watch.rests.length;
    const done = rests.after(watch.work(80, 'done'));
    await settled();
    watch.passes(shown);
    for (let at = earlier; at < watch.rests.length; at += 1) {
      watch.rests[at]?.end();
      await settled();
    }
    await done;
    return watch.rests.slice(earlier).map(({ milliseconds }) => milliseconds);
  }
  const idle = { cores: 80, coresIdle: 70, loop: 40, loopIdle: 36 };
  // One alone says too little.
  expect(await restsAfter(idle)).toEqual([5, 75]);
  expect(await restsAfter(idle)).toEqual([5]);
  expect(await restsAfter(idle)).toEqual([5]);
  const busy = { ...idle, coresIdle: 60 };
  expect(await restsAfter(busy)).toEqual([5, 75]);
  expect([await restsAfter(idle), await restsAfter(idle)]).toEqual([[5, 75], [5]]);
  const served = { ...idle, loopIdle: 20 };
  expect([await restsAfter(served), await restsAfter(served)]).toEqual([[5], [5, 75]]);
});

test('the end cuts a rest short, and no other follows', async () => {
  const watch = stopwatch();
  const rests = createRests(watch);
  const first = rests.after(watch.work(80, 'first'));
  await settled();
  rests.end();
  expect(await first).toBe('first');
  expect(await rests.after(watch.work(80, 'second'))).toBe('second');
  expect(watch.rests).toHaveLength(1);
});

test('work that fails does so at once', async () => {
  const watch = stopwatch();
  await expect(createRests(watch).after(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(watch.rests).toEqual([]);
});
