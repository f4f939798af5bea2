import { setTimeout as pause } from 'node:timers/promises';

/** A test or hook that is running; scripts/jest/environment.cjs sets it. A script outside Jest has none. */
interface RunningTest {
  /** By `Date.now()`. */
  readonly endsAt: number;
  readonly isOver: boolean;
}

const running = (): RunningTest | undefined => (globalThis as { runningTest?: RunningTest }).runningTest;

const patience = 30_000;
/** What is left to the test afterwards, so that it reports this failure and can clean up. */
const rest = 10_000;

/**
 * Polls `ask` until it returns a truthy value. It has no limit of its own: shortly before the limit of the test it
 * rejects with `what` in the message, and it stops when the test has ended. After a while it says what it waits for.
 */
export function waitUntil<T>(what: string | (() => string), ask: () => T | Promise<T>): Promise<NonNullable<T>> {
  return poll(() => (typeof what === 'string' ? what : what()), ask);
}

async function poll<T>(what: () => string, ask: () => T | Promise<T>): Promise<NonNullable<T>> {
  const test = running();
  const began = Date.now();
  let hasSpoken = false;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    // Nobody waits any more, and a failure now would be another test's.
    if (test?.isOver) return new Promise<never>(() => {});
    const now = Date.now();
    if (now > (running()?.endsAt ?? Infinity) - rest)
      throw new Error(`Waited until the end of the test in vain for ${what()}`);
    if (!hasSpoken && now - began > patience) {
      hasSpoken = true;
      process.stderr.write(`Waits for ${what()}, for ${patience / 1_000} s already\n`);
    }
    await pause(10);
  }
}
