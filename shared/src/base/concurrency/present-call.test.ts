import { duringCall, oncePerCall } from './present-call';
import type { PresentCall } from './present-call';

const left = () => 1_000;
const call = (): PresentCall => ({ accountId: 'wdc', left, signal: new AbortController().signal });

function createReading() {
  let times = 0;
  return { read: (key = 'count') => oncePerCall(key, () => Promise.resolve((times += 1))), times: () => times };
}

test('equal reads of one call are shared; other calls and other keys read separately', async () => {
  const { read } = createReading();
  expect(await duringCall(call(), () => Promise.all([read(), read(), read('other')]))).toEqual([1, 1, 2]);
  expect(await duringCall(call(), () => read())).toBe(3);
});

test('in a mutation, and outside of a call, reads are not shared', async () => {
  const { read } = createReading();
  expect(await duringCall({ accountId: 'wdc', left }, () => Promise.all([read(), read()]))).toEqual([1, 2]);
  expect(await Promise.all([read(), read()])).toEqual([3, 4]);
});
