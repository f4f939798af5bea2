/** Tracks running work, so that a stop can wait for it. */
export interface WorkInHand {
  during<T>(job: Promise<T>): Promise<T>;
  /** Resolves when no work is running any more, whether it succeeded or failed. */
  finished(): Promise<void>;
}

export function createWorkInHand(): WorkInHand {
  const jobs = new Set<Promise<unknown>>();
  return {
    async during(job) {
      jobs.add(job);
      try {
        return await job;
      } finally {
        jobs.delete(job);
      }
    },
    async finished() {
      while (jobs.size > 0) await Promise.allSettled(jobs);
    },
  };
}
