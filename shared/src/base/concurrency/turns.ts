/** A mutex per key: work on one key is done one after the other, work on other keys goes on. */
export function createTurns() {
  const last = new Map<number, Promise<unknown>>();
  return async function inTurn<T>(key: number, work: () => Promise<T>): Promise<T> {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
