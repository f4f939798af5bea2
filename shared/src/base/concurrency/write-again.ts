/** The result of an attempt that lost against a concurrent write to the record. */
export const stale = Symbol('stale');

interface Options<T> {
  /** Returns or throws the outcome when every attempt was stale. */
  readonly busy: () => T;
  /** The maximum number of attempts. */
  readonly tries?: number;
}

/**
 * Optimistic concurrency: `attempt` reads, decides and writes conditionally (compare-and-set), and is retried while it
 * is stale. Of concurrent writers one wins each round.
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
