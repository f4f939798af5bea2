import { startBackgroundTimer } from '../../base/time/clock';
import type { StartTimer } from '../../base/time/clock';
import { createWorkInHand } from '../broker/work-in-hand';

interface PumpOptions<T> {
  /** Claims the next piece of work; undefined when there is none. */
  claim(): Promise<T | undefined>;
  /** False when the work failed. */
  work(claimed: T): Promise<boolean>;
  onError(error: unknown): void;
  readonly atOnce: number;
  readonly startTimer?: StartTimer;
}

const longestIdleWait = 4_000;

/** Claims work piece by piece and runs up to `atOnce` pieces concurrently. */
export interface Pump {
  /**
   * Polls about every `pollMilliseconds`, which finds work without a nudge; failures do not stop it. While idle the
   * interval backs off to at most four seconds.
   */
  start(pollMilliseconds: number): void;
  /** Claims until there is no more work; during a run it triggers another claim. */
  nudge(): void;
  /** Claims once, for one new piece of work; saves the empty claim at the end. */
  nudgeOnce(): void;
  /** Resumes a pump that paused because all recent work failed; call it when the receiver is reachable again. */
  forgive(): void;
  /** Stops claiming and waits for running work. */
  stop(): Promise<void>;
}

export function createPump<T>(options: PumpOptions<T>): Pump {
  const { atOnce, startTimer = startBackgroundTimer } = options;
  const inHand = createWorkInHand();
  let stopped = false;
  let running = false;
  /** The number of claims still wanted; `Infinity` means until a claim finds nothing. */
  let wanted = 0;
  let atWork = 0;
  let failuresInARow = 0;
  let forgivings = 0;
  /** Whether there was neither work nor a nudge since the last poll. */
  let isIdle = false;
  let stopTimer = (): void => undefined;

  const mayClaim = () => !stopped && wanted > 0 && atWork < atOnce && failuresInARow < atOnce;

  async function finish(claimed: T): Promise<void> {
    atWork += 1;
    const forgivenBefore = forgivings;
    // Failures of work that started before `forgive` do not count.
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
    // A run pauses at `atOnce`; each finished piece resumes it.
    resume();
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
      while (mayClaim()) await claimOnce();
    } catch (error) {
      isIdle = false;
      options.onError(error);
    } finally {
      running = false;
    }
    resume();
  }

  function resume(): void {
    if (!running && mayClaim()) void inHand.during(run());
  }

  function claimAll(): void {
    wanted = Infinity;
    resume();
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
    // Jitter keeps replicas that started together from polling at the same moment.
    stopTimer = startTimer(() => poll(shortest, next), next * (0.75 + Math.random() / 2));
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
      resume();
    },
    forgive,
    async stop() {
      stopped = true;
      stopTimer();
      await inHand.finished();
    },
  };
}
