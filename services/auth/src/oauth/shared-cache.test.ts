import { createSharedCache } from './shared-cache';

test('an account that uses many keys displaces its own entries, and not those of others', () => {
  const cache = createSharedCache<number>(10);
  cache.set('quiet', 'q', 1);
  for (let n = 0; n < 1_000; n += 1) cache.set('greedy', `g-${n}`, n);
  expect(cache.get('quiet', 'q')).toBe(1);
  expect(cache.get('greedy', 'g-999')).toBe(999);
  expect(cache.get('greedy', 'g-991')).toBe(991);
  expect(cache.get('greedy', 'g-990')).toBeUndefined();
});

test('the entry that an account used longest ago is displaced first', () => {
  const cache = createSharedCache<number>(2);
  cache.set('one', 'a', 1);
  cache.set('one', 'b', 2);
  cache.get('one', 'a');
  cache.set('one', 'c', 3);
  expect(['a', 'b', 'c'].map((key) => cache.get('one', key))).toEqual([1, undefined, 3]);
});

test('an entry that several accounts use lasts as long as one of them keeps it', () => {
  const cache = createSharedCache<number>(4);
  cache.set('quiet', 'common', 1);
  for (const key of ['common', 'g-1', 'g-2', 'g-3', 'g-4', 'g-5']) {
    if (cache.get('greedy', key) === undefined) cache.set('greedy', key, 2);
  }
  expect(cache.get('quiet', 'common')).toBe(1);
});

test('a set value replaces the previous one for all accounts', () => {
  const cache = createSharedCache<number>(4);
  cache.set('one', 'a', 1);
  cache.set('other', 'a', 2);
  expect(cache.get('one', 'a')).toBe(2);
});

test('with one entry for each account, the account that was active longest ago loses its entry', () => {
  const cache = createSharedCache<string>(2);
  cache.set('one', 'a', 'of one');
  cache.set('other', 'b', 'of other');
  cache.get('one', 'a');
  cache.set('third', 'c', 'of third');
  expect([cache.get('one', 'a'), cache.get('other', 'b'), cache.get('third', 'c')]).toEqual([
    'of one',
    undefined,
    'of third',
  ]);
});
