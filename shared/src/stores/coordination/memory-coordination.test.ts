import { describeCoordination } from './coordination.contract';
import { createMemoryCoordination } from './memory-coordination';

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
