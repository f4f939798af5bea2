export type Stage = 'dns' | 'connect' | 'tls' | 'firstByte';

/** Milliseconds per finished stage, and in total. */
export type Timings = { readonly [S in Stage]?: number } & { readonly total: number };

/** Tracks the current stage of a request and the duration of finished ones. */
export interface Trace {
  readonly stage: Stage | undefined;
  during<T>(stage: Stage, work: Promise<T>): Promise<T>;
  timings(): Timings;
}

export function createTrace(): Trace {
  const started = performance.now();
  const finished: { [S in Stage]?: number } = {};
  let current: Stage | undefined;
  return {
    get stage() {
      return current;
    },
    async during(stage, work) {
      const from = performance.now();
      current = stage;
      const result = await work;
      finished[stage] = rounded(performance.now() - from);
      return result;
    },
    timings: () => ({ ...finished, total: rounded(performance.now() - started) }),
  };
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;
