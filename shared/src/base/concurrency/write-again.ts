/** The result of an attempt whose record was changed by another writer between its read and its write. */
export const stale = Symbol('stale');

interface Options<T> {
  /** What is answered, or thrown, once every attempt was stale. */
  readonly busy: () => T;
  /** So many attempts are made at most. */
  readonly tries?: number;
}

/**
 * Optimistic concurrency: an attempt reads, decides and writes on condition that there was no other write in between, and is
 * repeated from its read while it was stale. Of writers at the same time one wins each round.
 */
export async function writeAgain<T>(
  attempt: () => Promise<T | typeof stale>,
  { busy, tries = 50 }: Options<T>,
): Promise<T> {
  for (let made = 0; made < tries; made += 1) {
    const result = await attempt();
    if (result !== stale) return result;
  }
  return busy();
}
