/** At most `limit` jobs at once; the others wait in order. */
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
