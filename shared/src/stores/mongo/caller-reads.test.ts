import { setImmediate as turn } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { duringCall } from '../../base/concurrency/present-call';
import { readForCaller, readLimits } from './caller-reads';

const store = {};
const left = () => 5_000;

test('a read that changes nothing ends with its call; one within a change does not', async () => {
  const { signal } = new AbortController();
  const optionsIn = (call: Parameters<typeof duringCall>[0]) =>
    duringCall(call, () => readForCaller(store, (options) => Promise.resolve(options())));
  expect(await optionsIn({ accountId: 'wdc', left, signal })).toEqual({ signal, maxTimeMS: 5_000 });
  expect(await optionsIn({ accountId: 'wdc', left })).toEqual({});
  expect(await readForCaller(store, (options) => Promise.resolve(options()))).toEqual({});
});

test('an account with many reads leaves room for those of others', async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const read = (accountId: string): Promise<void> =>
    duringCall({ accountId, left }, () =>
      readForCaller(store, () => {
        begun.push(accountId);
        return new Promise((resolve) => ends.push(resolve));
      }),
    );
  const all = [...Array.from({ length: 50 }, () => read('greedy')), read('small')];
  await turn();
  expect(begun.filter((account) => account === 'greedy')).toHaveLength(readLimits.perOwner);
  expect(begun).toContain('small');
  while (ends.length > 0) {
    ends.shift()?.();
    await turn();
  }
  await Promise.all(all);
});

test('what waits is not begun when the client has left, and more than thousands may not wait', async () => {
  const gone = new AbortController();
  let begun = 0;
  const never = () => ((begun += 1), new Promise<void>(() => undefined));
  const own = {};
  const { signal } = gone;
  const read = () =>
    duringCall({ accountId: 'leaving', left, signal }, () => readForCaller(own, never)).catch(
      (error: unknown) => error,
    );
  const waiting = Array.from({ length: readLimits.perOwner + readLimits.mostWaiting }, read);
  await turn();
  expect(begun).toBe(readLimits.perOwner);
  expect(await read()).toMatchObject({ code: 'too_many_calls' });
  gone.abort(new Error('the client left'));
  expect(await waiting.at(-1)).toEqual(new Error('the client left'));
  expect(begun).toBe(readLimits.perOwner);
});

test('a read that the database gave up is the question’s fault', async () => {
  const expired = new mongo.MongoServerError({ message: 'operation exceeded time limit', code: 50 });
  await expect(readForCaller(store, () => Promise.reject(expired))).rejects.toMatchObject({ code: 'bad_request' });
});
