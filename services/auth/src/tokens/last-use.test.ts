import { createLogger } from '@itsm/shared/observing/logs/logger';
import { createNoteUse } from './last-use';

const setUp = () => {
  const clock = { time: 0 };
  const lines: string[] = [];
  const noteUse = createNoteUse(
    createLogger('auth', 'debug', (line) => lines.push(line)),
    () => new Date(clock.time),
  );
  return { clock, lines, noteUse };
};

/** A write that the test settles. */
function pendingWrite() {
  const state = { count: 0, end: () => undefined as void };
  const write = () =>
    new Promise<void>((resolve) => {
      state.count += 1;
      state.end = resolve;
    });
  return { state, write };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a use is recorded when the last one is a minute old, and once during a write', async () => {
  const { clock, noteUse } = setUp();
  const { state, write } = pendingWrite();
  clock.time = 59_999;
  noteUse('a', new Date(0), write);
  expect(state.count).toBe(0);
  clock.time = 60_000;
  for (let times = 0; times < 1_000; times += 1) noteUse('a', new Date(0), write);
  expect(state.count).toBe(1);
  state.end();
  await settled();
  noteUse('a', null, write);
  expect(state.count).toBe(2);
});

test('at most a hundred writes are in flight, however slow the store', () => {
  const { noteUse } = setUp();
  const { state, write } = pendingWrite();
  for (let key = 0; key < 1_000; key += 1) noteUse(`key ${key}`, null, write);
  expect(state.count).toBe(100);
});

test('a failed write is logged and frees its slot', async () => {
  const { lines, noteUse } = setUp();
  for (let times = 0; times < 2; times += 1) {
    noteUse('a', null, () => Promise.reject(new Error('gone')));
    await settled();
  }
  expect(lines.filter((line) => line.includes('last use not recorded'))).toHaveLength(2);
});
