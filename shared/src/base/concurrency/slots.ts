/** A semaphore: at most `limit` jobs at once; the others wait in order. */
export interface Slots {
  run<T>(job: () => Promise<T>): Promise<T>;
}

export function createSlots(limit: number): Slots {
  const waiting: (() => void)[] = [];
  let free = limit;
  const enter = (): Promise<void> | undefined => {
    if (free === 0) return new Promise((resolve) => waiting.push(resolve));
    free -= 1;
    return undefined;
  };
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return {
    async run(job) {
      await enter();
      try {
        return await job();
      } finally {
        leave();
      }
    },
  };
}

/** Runs `work` for every item, at most `limit` at once. After a failure no further item starts. */
export async function forAll<T>(limit: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const slots = createSlots(limit);
  let hasFailed = false;
  const one = async (item: T): Promise<void> => {
    if (hasFailed) return;
    try {
      await work(item);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  await Promise.all(items.map((item) => slots.run(() => one(item))));
}

/** A mutex per key: work on one key is serialised, work on other keys is not affected. */
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
