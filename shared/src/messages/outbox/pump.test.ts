import { setImmediate as turn } from 'node:timers/promises';
import { createGate } from '../broker/testing/gate';
import { waitUntil } from '../../testing/wait-until';
import { createPump } from './pump';

/** A pump over a list of numbers: `claim` takes the first, `work` decides the outcome. */
function start(
  numbers: number[],
  work: (number: number) => Promise<boolean>,
  claim = () => Promise.resolve(numbers.shift()),
  atOnce = 3,
) {
  const errors: unknown[] = [];
  const pump = createPump({ claim, work, onError: (error) => errors.push(error), atOnce });
  return { pump, errors };
}

test('one nudge does all waiting work, also beyond the concurrency limit', async () => {
  const done: number[] = [];
  const { pump } = start([1, 2, 3, 4, 5, 6, 7, 8], async (number) => {
    await turn();
    return done.push(number) > 0;
  });
  pump.nudge();
  await waitUntil('everything', () => done.length === 8);
  await pump.stop();
});

test('a nudge during the last claim makes the pump claim once more', async () => {
  const gate = createGate();
  const done: number[] = [];
  const numbers: number[] = [];
  let looks = 0;
  const { pump } = start(
    numbers,
    (number) => Promise.resolve(done.push(number) > 0),
    async () => {
      looks += 1;
      const found = numbers.shift();
      if (looks === 1) await gate.opened;
      return found;
    },
  );
  pump.nudge();
  numbers.push(1);
  pump.nudge();
  pump.nudge();
  gate.open();
  await waitUntil('the late one', () => done.length === 1);
  await pump.stop();
  expect(looks).toBe(3);
});

test('a nudge at any moment while a run ends is not lost', async () => {
  for (let ticks = 0; ticks < 8; ticks += 1) {
    const done: number[] = [];
    const numbers: number[] = [];
    const { pump } = start(numbers, (number) => Promise.resolve(done.push(number) > 0));
    pump.nudge();
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
    numbers.push(ticks);
    pump.nudge();
    await waitUntil(`the one nudged after ${ticks} ticks`, () => done.length === 1);
    await pump.stop();
  }
});

test('a pump whose work keeps failing rests until forgive', async () => {
  let attempts = 0;
  const { pump, errors } = start(
    Array.from({ length: 50 }, (_, number) => number),
    () => {
      attempts += 1;
      return attempts % 2 === 0 ? Promise.reject(new Error('away')) : Promise.resolve(false);
    },
  );
  pump.nudge();
  for (let turns = 0; turns < 20; turns += 1) await turn();
  const before = attempts;
  expect(before).toBeLessThan(7);
  pump.nudge();
  await turn();
  expect(attempts).toBe(before);
  pump.forgive();
  pump.nudge();
  await waitUntil('more attempts', () => attempts > before);
  expect(errors.length).toBeGreaterThan(0);
  await pump.stop();
});

test('failures of work from before forgive do not count', async () => {
  const gate = createGate();
  const done: number[] = [];
  const numbers = [1];
  const work = async (number: number) => {
    if (number > 1) return done.push(number) > 0;
    await gate.opened;
    return false;
  };
  const { pump } = start(numbers, work, () => Promise.resolve(numbers.shift()), 1);
  pump.nudge();
  await waitUntil('the first at work', () => numbers.length === 0);
  numbers.push(2);
  pump.forgive();
  pump.nudge();
  gate.open();
  await waitUntil('the one after it', () => done.length === 1);
  await pump.stop();
});

test('a claim that fails is reported, and the next nudge retries', async () => {
  let broken = true;
  const done: number[] = [];
  const { pump, errors } = start(
    [],
    (number) => Promise.resolve(done.push(number) > 0),
    () => (broken ? Promise.reject(new Error('no store')) : Promise.resolve(done.length === 0 ? 1 : undefined)),
  );
  pump.nudge();
  await waitUntil('the error', () => errors.length === 1);
  broken = false;
  pump.nudge();
  await waitUntil('the work', () => done.length === 1);
  await pump.stop();
});

test('nudgeOnce claims once, and work that arrives in between is not lost', async () => {
  const done: number[] = [];
  const numbers: number[] = [];
  let looks = 0;
  const { pump } = start(
    numbers,
    (number) => Promise.resolve(done.push(number) > 0),
    async () => {
      looks += 1;
      await turn();
      return numbers.shift();
    },
  );
  for (let number = 1; number <= 8; number += 1) {
    numbers.push(number);
    pump.nudgeOnce();
    if (number % 2 === 0) await turn();
  }
  await waitUntil('everything', () => done.length === 8);
  await pump.stop();
  expect(looks).toBe(8);
});

test('nudges for work that is already done share one claim', async () => {
  let looks = 0;
  const { pump } = start(
    [],
    () => Promise.resolve(true),
    async () => {
      looks += 1;
      await turn();
      return undefined;
    },
  );
  for (let count = 0; count < 6; count += 1) pump.nudgeOnce();
  for (let turns = 0; turns < 20; turns += 1) await turn();
  await pump.stop();
  // One for the first nudge, and one for the five that came during it.
  expect(looks).toBe(2);
});

test('an idle pump polls with exponential back-off up to four seconds, which work or a nudge resets', async () => {
  const waits: { readonly milliseconds: number; readonly end: () => void }[] = [];
  const numbers: number[] = [];
  let looks = 0;
  const pump = createPump({
    claim() {
      looks += 1;
      return Promise.resolve(numbers.shift());
    },
    work: () => Promise.resolve(true),
    onError: () => undefined,
    atOnce: 3,
    startTimer(end, milliseconds) {
      waits.push({ milliseconds, end });
      return () => undefined;
    },
  });
  /** Expects the pump to rest for `milliseconds`, with 25 % jitter, and ends the rest. */
  const rests = async (milliseconds: number) => {
    await turn();
    const wait = waits.pop();
    expect(wait?.milliseconds).toBeGreaterThanOrEqual(0.75 * milliseconds);
    expect(wait?.milliseconds).toBeLessThan(1.25 * milliseconds);
    const before = looks;
    wait?.end();
    await turn();
    expect(looks).toBeGreaterThan(before);
  };
  pump.start(10);
  for (const milliseconds of [10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 4_000, 4_000]) await rests(milliseconds);
  numbers.push(1);
  // The poll that finds work was still preceded by a long rest, and so is the one after it.
  for (const milliseconds of [4_000, 4_000, 10, 20, 40]) await rests(milliseconds);
  pump.nudge();
  for (const milliseconds of [80, 10, 20]) await rests(milliseconds);
  await pump.stop();
});
