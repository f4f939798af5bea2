import { generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { waitUntil } from '../../testing/wait-until';
import { createKeySet } from './key-set';

const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;

/** A key set that loads `published`, and a clock that the test moves. */
function start() {
  const state = { time: Date.now(), reads: 0, failing: false, published: new Map([['one', newKey()]]) };
  const find = createKeySet(
    async () => {
      state.reads += 1;
      await Promise.resolve();
      if (state.failing) throw new Error('out of reach');
      return new Map(state.published);
    },
    () => new Date(state.time),
  );
  return { state, find };
}

test('concurrent first calls share one load', async () => {
  const { state, find } = start();
  const found = await Promise.all(Array.from({ length: 50 }, () => find('one')));
  expect(new Set(found)).toEqual(new Set([state.published.get('one')]));
  expect(state.reads).toBe(1);
});

test('a new key is found at once, even after earlier unknown ones', async () => {
  const { state, find } = start();
  await find('one');
  for (let asked = 0; asked < 100; asked += 1) expect(await find(`junk-${asked}`)).toBeUndefined();
  state.time += 10_001;
  state.published.set('two', newKey());
  expect(await find('two')).toBe(state.published.get('two'));
  expect(state.reads).toBe(2);
});

test('a key that is published five minutes before its first use causes no wait', async () => {
  const { state, find } = start();
  await find('one');
  state.published.set('two', newKey());
  state.time += 5 * 60_000 + 1;
  await find('one');
  await waitUntil('the second read', () => state.reads === 2);
  expect(await find('two')).toBe(state.published.get('two'));
  expect(state.reads).toBe(2);
});

test('a removed key does not verify any more', async () => {
  const { state, find } = start();
  await find('one');
  state.published = new Map([['two', newKey()]]);
  state.time += 5 * 60_000 + 1;
  await find('one');
  await waitUntil('the end of the key', async () => (await find('one')) === undefined);
  expect(await find('two')).toBeDefined();
});

test('when a load fails the last set is used, and the next call retries', async () => {
  const { state, find } = start();
  await find('one');
  state.failing = true;
  state.time += 3_600_000;
  expect(await find('one')).toBe(state.published.get('one'));
  await expect(find('two')).rejects.toThrow('out of reach');
  state.failing = false;
  state.published.set('two', newKey());
  expect(await find('two')).toBe(state.published.get('two'));
});
