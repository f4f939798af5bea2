import { createEarlyRefusals } from './early-refusals';

const addressOf = (number: number) => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;

test('ten thousand refusals are remembered, and one more replaces the oldest', () => {
  const refusals = createEarlyRefusals(() => new Date('2026-03-02T10:00:00Z'));
  for (let number = 0; number < 10_000; number += 1) refusals.rememberNetwork(addressOf(number), 30);
  expect(refusals.secondsOfNetwork(addressOf(0))).toBe(30);
  refusals.rememberNetwork(addressOf(10_000), 30);
  const left = [0, 1, 10_000].map((number) => refusals.secondsOfNetwork(addressOf(number)));
  expect(left).toEqual([0, 30, 30]);
});

test('a refusal that is repeated is not the oldest any more, and lasts a minute at most', () => {
  let now = new Date('2026-03-02T10:00:00Z');
  const refusals = createEarlyRefusals(() => now);
  for (let number = 0; number < 10_000; number += 1) refusals.rememberNetwork(addressOf(number), 900);
  refusals.rememberNetwork(addressOf(0), 900);
  refusals.rememberNetwork(addressOf(10_000), 900);
  const left = () => [0, 1, 2].map((number) => refusals.secondsOfNetwork(addressOf(number)));
  expect(left()).toEqual([60, 0, 60]);
  now = new Date(now.getTime() + 60_000);
  expect(left()).toEqual([0, 0, 0]);
});
