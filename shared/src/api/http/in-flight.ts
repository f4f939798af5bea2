import type { ServerResponse } from 'node:http';
import { createTally } from '../../base/concurrency/tally';
import { AppError, tooManyCalls } from '../../base/errors/app-error';

/** Too much is under way of all together; soon there is room again. */
export const overloaded = (): AppError =>
  new AppError('service_unavailable', 'Service Unavailable', { headers: { 'Retry-After': '1' } });

const nobodyWaits = (): AppError => new AppError('service_unavailable', 'Nobody waits for the answer');

/** Counts what is under way for each key (a caller, an account, an address). */
export interface InFlight {
  /** Begins what is answered with `res`, and ends it with the answer or the connection; 429 when too much is under way, 503 when they have left. */
  begin(key: string, res: ServerResponse): void;
}

const ends = new WeakMap<ServerResponse, (() => void)[]>();

/** One listener for all that is counted of an answer. */
function atEnd(res: ServerResponse, work: () => void): void {
  const known = ends.get(res);
  if (known) known.push(work);
  else {
    const all = [work];
    ends.set(res, all);
    res.once('close', () => {
      for (const each of all) each();
    });
  }
}

interface Bounds {
  /** At once of one key. */
  readonly each: number;
  /** At once of all keys, beyond which every one is refused with 503. */
  readonly all?: number;
  /** Completes the sentence of the refusal. */
  readonly whose: string;
}

export function createInFlight({ each, all = Infinity, whose }: Bounds): InFlight {
  const calls = createTally(each);
  let underWay = 0;
  return {
    begin(key, res) {
      // It would never end: its connection has closed before.
      if (res.closed) throw nobodyWaits();
      if (calls.left(key) <= 0) throw tooManyCalls(`Too many calls at once: ${each} of ${whose} are under way`);
      if (underWay >= all) throw overloaded();
      const count = (change: 1 | -1): void => {
        calls.add(key, change);
        underWay += change;
      };
      count(1);
      atEnd(res, () => count(-1));
    },
  };
}
