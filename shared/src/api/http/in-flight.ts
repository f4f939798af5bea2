import type { ServerResponse } from 'node:http';
import { createTally } from '../../base/concurrency/tally';
import { AppError, tooManyCalls } from '../../base/errors/app-error';

/** The process as a whole is at its limit; the client may retry after a second. */
export const overloaded = (): AppError =>
  new AppError('service_unavailable', 'Service Unavailable', { headers: { 'Retry-After': '1' } });

const clientIsGone = (): AppError => new AppError('service_unavailable', 'Nobody waits for the answer');

/** Limits concurrent requests per key (a caller, an account, an address). */
export interface InFlight {
  /**
   * Counts the request as in flight until `res` is closed. 429 at the limit of the key, 503 at the limit of all or when
   * the client has disconnected.
   */
  begin(key: string, res: ServerResponse): void;
}

const ends = new WeakMap<ServerResponse, (() => void)[]>();

/** Uses one listener per response, however many limits count it. */
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
  /** Limit of concurrent requests per key. */
  readonly each: number;
  /** Limit of concurrent requests of all keys; more are refused with 503. */
  readonly all?: number;
  /** Names the key in the refusal's message. */
  readonly whose: string;
}

export function createInFlight({ each, all = Infinity, whose }: Bounds): InFlight {
  const calls = createTally(each);
  let underWay = 0;
  return {
    begin(key, res) {
      // `close` was already emitted, so the count would never be released.
      if (res.closed) throw clientIsGone();
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
