import { createWorkInHand } from '../broker/work-in-hand';

interface PumpOptions<T> {
  /** The next piece of work, undefined when there is none. */
  claim(): Promise<T | undefined>;
  /** False when it did not go well. */
  work(claimed: T): Promise<boolean>;
  onError(error: unknown): void;
  readonly atOnce: number;
}

const longestIdleWait = 4_000;

/** Claims one piece of work after the other and does up to `atOnce` of them in parallel. */
export interface Pump {
  /**
   * Claims work now and about every `pollMilliseconds`, for work without a nudge; failures do not stop it. While there is no work it
   * polls less and less often, but at least every four seconds.
   */
  start(pollMilliseconds: number): void;
  /** Claims until nothing is left; during a run it makes the run claim again. */
  nudge(): void;
  /** Claims once, for one piece of work that has just come: spares the look that finds nothing more. */
  nudgeOnce(): void;
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
  /** How often to claim still; without end until a claim finds nothing. */
  let wanted = 0;
  let atWork = 0;
  let failuresInARow = 0;
  let forgivings = 0;
  /** Whether there was neither work nor a nudge since the last poll. */
  let isIdle = false;
  let timer: NodeJS.Timeout | undefined;

  const goesOn = () => !stopped && wanted > 0 && atWork < atOnce && failuresInARow < atOnce;

  async function finish(claimed: T): Promise<void> {
    atWork += 1;
    const forgivenBefore = forgivings;
    // A failure of work that began before the pump was forgiven says nothing of the time since.
    const fail = (): void => {
      if (forgivings === forgivenBefore) failuresInARow += 1;
    };
    try {
      if (await options.work(claimed)) failuresInARow = 0;
      else fail();
    } catch (error) {
      fail();
      options.onError(error);
    } finally {
      atWork -= 1;
    }
    // The run stops at `atOnce`; each work that ends continues it.
    goOn();
  }

  /** An empty claim answers all earlier nudges; a later nudge triggers another claim. */
  async function claimOnce(): Promise<void> {
    const everything = wanted === Infinity;
    const before = everything ? 0 : wanted - 1;
    wanted = before;
    let claimed: T | undefined;
    try {
      claimed = await options.claim();
    } finally {
      if (claimed === undefined) wanted -= before;
      else if (everything) wanted = Infinity;
    }
    if (claimed === undefined) return;
    isIdle = false;
    void inHand.during(finish(claimed));
  }

  async function run(): Promise<void> {
    running = true;
    try {
      while (goesOn()) await claimOnce();
    } catch (error) {
      isIdle = false;
      options.onError(error);
    } finally {
      running = false;
    }
    goOn();
  }

  function goOn(): void {
    if (!running && goesOn()) void inHand.during(run());
  }

  function claimAll(): void {
    wanted = Infinity;
    goOn();
  }

  function forgive(): void {
    forgivings += 1;
    failuresInARow = 0;
  }

  function poll(shortest: number, wait = shortest): void {
    const next = isIdle ? Math.min(wait * 2, Math.max(shortest, longestIdleWait)) : shortest;
    isIdle = true;
    forgive();
    claimAll();
    // Jitter keeps replicas that started together from asking together.
    timer = setTimeout(() => poll(shortest, next), next * (0.75 + Math.random() / 2));
    timer.unref();
  }

  return {
    start: (pollMilliseconds) => poll(pollMilliseconds),
    nudge() {
      isIdle = false;
      claimAll();
    },
    nudgeOnce() {
      isIdle = false;
      wanted += 1;
      goOn();
    },
    forgive,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await inHand.finished();
    },
  };
}
