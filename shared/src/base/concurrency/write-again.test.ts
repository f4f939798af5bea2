import { setImmediate as turn } from 'node:timers/promises';
import { AppError } from '../errors/app-error';
import { stale, writeAgain } from './write-again';

const busy = (): never => {
  throw new AppError('conflict', 'Too many write this');
};

/** A counter with a version: a write succeeds only if it is based on the newest version. */
function createCounter() {
  let stored = { version: 0, count: 0 };
  let stales = 0;
  const increment = async () => {
    const before = stored;
    await turn();
    if (stored.version !== before.version) {
      stales += 1;
      return stale;
    }
    stored = { version: before.version + 1, count: before.count + 1 };
    return stored.count;
  };
  return { increment, count: () => stored.count, stales: () => stales };
}

test('of many concurrent writers each retries until its write succeeds, and none is lost', async () => {
  const { increment, count, stales } = createCounter();
  const results = await Promise.all(Array.from({ length: 20 }, () => writeAgain(increment, { busy })));
  expect(count()).toBe(20);
  expect(stales()).toBeGreaterThan(0);
  expect([...results].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_none, index) => index + 1));
});

test.each([
  ['fifty', undefined, 50],
  ['as many as are allowed', 3, 3],
])('an attempt that is always stale is made %s times, then refused', async (_words, tries, made) => {
  let attempts = 0;
  const attempt = () => Promise.resolve((attempts += 1) && stale);
  await expect(writeAgain(attempt, { busy, ...(tries && { tries }) })).rejects.toThrow('Too many write this');
  expect(attempts).toBe(made);
});

test('the fallback after the last stale attempt may be a result', async () => {
  expect(await writeAgain<number | 'busy'>(() => Promise.resolve(stale), { busy: () => 'busy', tries: 2 })).toBe(
    'busy',
  );
});

test('undefined and false are results, and an attempt that throws is not retried', async () => {
  expect(await writeAgain(() => Promise.resolve(undefined), { busy })).toBeUndefined();
  expect(await writeAgain(() => Promise.resolve(false), { busy })).toBe(false);
  let attempts = 0;
  const failing = () => Promise.reject(new Error(`attempt ${(attempts += 1)}`));
  await expect(writeAgain(failing, { busy })).rejects.toThrow('attempt 1');
});
