import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';
import { startSystemTimer } from '../time/clock';
import type { StartTimer } from '../time/clock';

/**
 * Lets background work give way to calls: it gets half of the time at most, however busy the machine is. While nobody else
 * uses the machine, rests are short.
 */
export interface Rests {
  /** Does a piece of work, then rests for as long as it took, or a sixteenth of that. */
  after<T>(piece: () => Promise<T>): Promise<T>;
  /** Ends the present rest; none follows. */
  end(): void;
}

/** What has run since the start, in milliseconds; differences count. */
export interface Load {
  /** Of all cores of the machine together. */
  readonly cores: number;
  readonly coresIdle: number;
  /** Of the event loop of this process. */
  readonly loop: number;
  readonly loopIdle: number;
}

export interface RestOptions {
  /** A monotonic clock, in milliseconds. */
  readonly elapsed?: () => number;
  readonly startTimer?: StartTimer;
  readonly load?: () => Load;
}

/** The part of a rest after which it may end. */
const shortest = 1 / 16;
/** Milliseconds of all cores that tell enough: the system counts in steps of ten. */
const telling = 150;
const quiet = 0.85;

export function createRests(options: RestOptions = {}): Rests {
  const { elapsed = () => performance.now(), startTimer = startSystemTimer, load = readLoad } = options;
  const isQuiet = createQuietLook(load);
  let ended = false;
  let endPause = (): void => undefined;

  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const stopTimer = startTimer(resolve, milliseconds);
      endPause = () => {
        stopTimer();
        resolve();
      };
    });

  async function rest(milliseconds: number): Promise<void> {
    if (await isQuiet(() => pause(milliseconds * shortest))) return;
    if (!ended) await pause(milliseconds * (1 - shortest));
  }

  return {
    async after(piece) {
      const began = elapsed();
      const result = await piece();
      if (!ended) await rest(elapsed() - began);
      return result;
    },
    end() {
      ended = true;
      endPause();
    },
  };
}

/**
 * Whether nobody else works: neither on the machine nor in this process. It looks at pauses of the background work, in which
 * everything that runs is somebody else's, and goes by the last ones that were long enough together. A store on another
 * machine is not seen: what it gets is one command at a time.
 */
function createQuietLook(load: () => Load): (pause: () => Promise<void>) => Promise<boolean> {
  const none: Load = { cores: 0, coresIdle: 0, loop: 0, loopIdle: 0 };
  let seen = none;
  let isQuiet = false;
  return async (pause) => {
    const before = load();
    await pause();
    const now = load();
    const added = (name: keyof Load): number => seen[name] + now[name] - before[name];
    seen = {
      cores: added('cores'),
      coresIdle: added('coresIdle'),
      loop: added('loop'),
      loopIdle: added('loopIdle'),
    };
    if (seen.cores >= telling) {
      isQuiet = seen.coresIdle >= seen.cores * quiet && seen.loopIdle >= seen.loop * quiet;
      seen = none;
    }
    return isQuiet;
  };
}

/** Costs some microseconds for each core. */
function readLoad(): Load {
  const times = cpus().map((core) => core.times);
  const sum = (ofCore: (time: (typeof times)[number]) => number): number =>
    times.reduce((total, time) => total + ofCore(time), 0);
  const { active, idle } = performance.eventLoopUtilization();
  return {
    cores: sum(({ user, nice, sys, idle: free, irq }) => user + nice + sys + free + irq),
    coresIdle: sum(({ idle: free }) => free),
    loop: active + idle,
    loopIdle: idle,
  };
}
