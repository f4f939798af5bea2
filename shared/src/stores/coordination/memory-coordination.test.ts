import { describeCoordination } from './coordination.contract';
import { createMemoryCoordination, createWindows } from './memory-coordination';

describeCoordination('memory', () => {
  let present = Date.parse('2025-01-01T00:00:00Z');
  const coordination = createMemoryCoordination({ now: () => new Date(present) });
  return Promise.resolve({
    coordination,
    present: () => present,
    pass: (milliseconds) => Promise.resolve(void (present += milliseconds)),
    close: () => coordination.close(),
  });
});

const oneSecond = { limit: 5, seconds: 1, amount: 1 };

test('expired windows are removed', () => {
  const windows = createWindows();
  for (let key = 0; key < 1000; key += 1) windows.take({ ...oneSecond, key: `caller ${key}` }, 0);
  expect(windows.count()).toBe(1000);
  windows.take({ ...oneSecond, key: 'later' }, 60_000);
  expect(windows.count()).toBe(1);
});

test('an open window survives the sweep', () => {
  const windows = createWindows();
  windows.take({ key: 'hour', limit: 5, seconds: 3600, amount: 2 }, 0);
  windows.take({ ...oneSecond, key: 'later' }, 60_000);
  expect(windows.look({ key: 'hour', limit: 5, seconds: 3600, amount: 0 }, 60_000)).toEqual({
    limit: 5,
    remaining: 3,
    resetAt: 3_600_000,
  });
});

test('reading does not open a window', () => {
  const windows = createWindows();
  windows.take({ ...oneSecond, key: 'only looked at', amount: 0 }, 0);
  expect(windows.count()).toBe(0);
});
