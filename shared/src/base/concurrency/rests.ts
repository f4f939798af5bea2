import { startSystemTimer } from '../time/clock';
import type { StartTimer } from '../time/clock';

/** Lets background work give way to calls: it gets half of the time at most, however busy the machine is. */
export interface Rests {
  /** Does a piece of work, then rests for as long as it took. */
  after<T>(piece: () => Promise<T>): Promise<T>;
  /** Ends the present rest; none follows. */
  end(): void;
}

export interface RestOptions {
  /** A monotonic clock, in milliseconds. */
  readonly elapsed?: () => number;
  readonly startTimer?: StartTimer;
}

export function createRests(options: RestOptions = {}): Rests {
  const { elapsed = () => performance.now(), startTimer = startSystemTimer } = options;
  let ended = false;
  let endRest = (): void => undefined;

  const rest = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const stopTimer = startTimer(resolve, milliseconds);
      endRest = () => {
        stopTimer();
        resolve();
      };
    });

  return {
    async after(piece) {
      const began = elapsed();
      const result = await piece();
      if (!ended) await rest(elapsed() - began);
      return result;
    },
    end() {
      ended = true;
      endRest();
    },
  };
}
