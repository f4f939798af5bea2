import { createRests } from './rests';

/** A clock and a timer that the test moves. */
function stopwatch() {
  let now = 0;
  const rests: { readonly milliseconds: number; readonly end: () => void }[] = [];
  return {
    rests,
    elapsed: () => now,
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
  const first = rests.after(watch.work(40, 'done')).then((value) => (result = value));
  await settled();
  expect(watch.rests.map(({ milliseconds }) => milliseconds)).toEqual([40]);
  expect(result).toBeUndefined();
  watch.rests[0]?.end();
  await first;
  expect(result).toBe('done');
});

test('the end cuts a rest short, and no other follows', async () => {
  const watch = stopwatch();
  const rests = createRests(watch);
  const first = rests.after(watch.work(40, 'first'));
  await settled();
  rests.end();
  expect(await first).toBe('first');
  expect(await rests.after(watch.work(40, 'second'))).toBe('second');
  expect(watch.rests).toHaveLength(1);
});

test('work that fails does so at once', async () => {
  const watch = stopwatch();
  await expect(createRests(watch).after(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(watch.rests).toEqual([]);
});
