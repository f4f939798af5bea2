import { startSystemTimer } from '../../base/time/clock';
import type { StartTimer } from '../../base/time/clock';

/** Batches items that arrive while the store is busy, so that many small commands share one round trip. */
export type Batcher<T, R> = (item: T) => Promise<R>;

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatcherOptions {
  /** Items per batch, 100 by default. */
  readonly most?: number;
  /** Concurrent batches, 1 by default: with more, items wait less but fewer share a round trip. */
  readonly concurrency?: number;
  /** How long a batch with fewer than `most` items waits for more; 0 by default. */
  readonly gatherMilliseconds?: number;
  readonly startTimer?: StartTimer;
}

/** `run` gets up to `most` items and returns one result for each, in order; when it rejects, all of them reject. */
export function createBatcher<T, R>(
  run: (items: readonly T[]) => Promise<readonly R[]>,
  { most = 100, concurrency = 1, gatherMilliseconds, startTimer = startSystemTimer }: BatcherOptions = {},
): Batcher<T, R> {
  const waiting: Waiting<T, R>[] = [];
  let running = 0;
  let onFull = () => {};

  async function gather(milliseconds: number): Promise<void> {
    if (waiting.length >= most) return;
    await new Promise<void>((resolve) => {
      const stopTimer = startTimer(resolve, milliseconds);
      onFull = () => {
        stopTimer();
        resolve();
      };
    });
  }

  async function send(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as R));
    } catch (error) {
      batch.forEach(({ reject }) => reject(error));
    }
  }

  async function sendAll(): Promise<void> {
    running += 1;
    // Waits for the turn to end, so that all items of one turn share a batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      if (gatherMilliseconds !== undefined) await gather(gatherMilliseconds);
      await send(waiting.splice(0, most));
    }
    running -= 1;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running < concurrency) void sendAll();
      else if (waiting.length >= most) onFull();
    });
}
