import { setImmediate as turn } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { duringCall } from '../../base/concurrency/present-call';
import { readForCaller, readLimits } from './caller-reads';

const store = {};
const left = () => 5_000;

test('a read of a query ends with its call; one within a mutation does not', async () => {
  const { signal } = new AbortController();
  const optionsIn = (call: Parameters<typeof duringCall>[0]) =>
    duringCall(call, () => readForCaller(store, 'light', (options) => Promise.resolve(options())));
  expect(await optionsIn({ accountId: 'wdc', left, signal })).toEqual({ signal, maxTimeMS: 5_000 });
  expect(await optionsIn({ accountId: 'wdc', left })).toEqual({});
  expect(await readForCaller(store, 'light', (options) => Promise.resolve(options()))).toEqual({});
});

test('an account with many reads leaves room for others, and for its own light reads beside heavy ones', async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const read = (accountId: string, weight: 'light' | 'heavy'): Promise<void> =>
    duringCall({ accountId, left }, () =>
      readForCaller(store, weight, () => {
        begun.push(`${accountId} ${weight}`);
        return new Promise((resolve) => ends.push(resolve));
      }),
    );
  const many = (weight: 'light' | 'heavy') => Array.from({ length: 50 }, () => read('greedy', weight));
  const all = [...many('heavy'), ...many('light'), read('small', 'light'), read('small', 'heavy')];
  await turn();
  const countOf = (what: string) => begun.filter((one) => one === what).length;
  expect(countOf('greedy heavy')).toBe(1);
  expect(countOf('greedy light')).toBe(readLimits.light.perOwner);
  expect([countOf('small light'), countOf('small heavy')]).toEqual([1, 1]);
  while (ends.length > 0) {
    ends.shift()?.();
    await turn();
  }
  await Promise.all(all);
});

test('a waiting read is not started when its client disconnected, and the queue is limited', async () => {
  const gone = new AbortController();
  let begun = 0;
  const never = () => ((begun += 1), new Promise<void>(() => undefined));
  const own = {};
  const { signal } = gone;
  const read = () =>
    duringCall({ accountId: 'leaving', left, signal }, () => readForCaller(own, 'light', never)).catch(
      (error: unknown) => error,
    );
  const waiting = Array.from({ length: readLimits.light.perOwner + readLimits.light.mostWaiting }, read);
  await turn();
  expect(begun).toBe(readLimits.light.perOwner);
  expect(await read()).toMatchObject({ code: 'too_many_calls' });
  gone.abort(new Error('the client left'));
  expect(await waiting.at(-1)).toEqual(new Error('the client left'));
  expect(begun).toBe(readLimits.light.perOwner);
});

test('a read that exceeds its time limit is a 400', async () => {
  const expired = new mongo.MongoServerError({ message: 'operation exceeded time limit', code: 50 });
  await expect(readForCaller(store, 'light', () => Promise.reject(expired))).rejects.toMatchObject({
    code: 'bad_request',
  });
});
