import { createWorkInHand } from '../broker/work-in-hand';

interface PumpOptions<T> {
  /** The next piece of work, undefined when there is none. */
  claim(): Promise<T | undefined>;
  /** False when it did not go well. */
  work(claimed: T): Promise<boolean>;
  onError(error: unknown): void;
  readonly atOnce: number;
}

/** Claims one piece of work after the other and does up to `atOnce` of them in parallel. */
export interface Pump {
  /** Claims until nothing is left; during a run it makes the run look once more. */
  nudge(): void;
  /** Lets a pump go on that rests since everything failed lately: the receiving side was out of reach. */
  forgive(): void;
  /** Claims nothing more and waits for what is at work. */
  stop(): Promise<void>;
}

export function createPump<T>(options: PumpOptions<T>): Pump {
  const { atOnce } = options;
  const inHand = createWorkInHand();
  let stopped = false;
  let running = false;
  let again = false;
  let atWork = 0;
  let failuresInARow = 0;

  const goesOn = () => !stopped && failuresInARow < atOnce;

  async function finish(claimed: T): Promise<void> {
    atWork += 1;
    try {
      failuresInARow = (await options.work(claimed)) ? 0 : failuresInARow + 1;
    } catch (error) {
      failuresInARow += 1;
      options.onError(error);
    } finally {
      atWork -= 1;
    }
    // The run stops at `atOnce`; whoever makes room sees to what is left.
    if (atWork === atOnce - 1) nudge();
  }

  async function run(): Promise<void> {
    while (again && goesOn()) {
      again = false;
      while (atWork < atOnce && goesOn()) {
        const claimed = await options.claim();
        if (claimed === undefined) break;
        void inHand.during(finish(claimed));
      }
    }
  }

  async function runOnce(): Promise<void> {
    running = true;
    try {
      await run();
    } catch (error) {
      options.onError(error);
    } finally {
      running = false;
    }
    if (again) nudge();
  }

  function nudge(): void {
    again = true;
    if (!running && goesOn()) void inHand.during(runOnce());
  }

  return {
    nudge,
    forgive() {
      failuresInARow = 0;
    },
    async stop() {
      stopped = true;
      await inHand.finished();
    },
  };
}
