/** Counts what is at work, so that a stop can wait for it. */
export interface WorkInHand {
  during<T>(job: Promise<T>): Promise<T>;
  /** Resolves when nothing is at work any more, whether it went well or not. */
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
