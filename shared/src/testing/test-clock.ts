import type { Clock } from '../base/time/clock';

/** A clock that stands still until the test moves it. */
export interface TestClock {
  readonly now: Clock;
  readonly pass: (milliseconds: number) => void;
}

/** It begins at the real time, since tokens and proofs of tests are valid from then on. */
export function createTestClock(): TestClock {
  const begin = Date.now();
  let passed = 0;
  return {
    now: () => new Date(begin + passed),
    pass: (milliseconds) => void (passed += milliseconds),
  };
}
