import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { AppError } from '../../base/errors/app-error';

/** Whether a client still waits for an answer. */
export interface Departure {
  /** Aborts when no client waits any more. */
  readonly signal: AbortSignal;
  /** Adds a client that waits; call the returned function when it has disconnected. */
  join(): () => void;
}

/** Aborts when the connection closes before the answer is written. */
export const departureOf = (res: ServerResponse): AbortSignal => sharedDepartureOf(res).signal;

/** As `departureOf`, for an answer that several clients may wait for. */
export function sharedDepartureOf(res: ServerResponse): Departure {
  const departure = new AbortController();
  // Everything that is read for one answer listens, which may be hundreds of reads.
  setMaxListeners(0, departure.signal);
  let waiting = 1;
  const leave = (): void => {
    waiting -= 1;
    if (waiting === 0) departure.abort(new AppError('service_unavailable', 'Nobody waits for the answer'));
  };
  const leaveEarly = (): void => {
    if (!res.writableFinished) leave();
  };
  if (res.closed) leaveEarly();
  else res.once('close', leaveEarly);
  return {
    signal: departure.signal,
    join() {
      waiting += 1;
      return leave;
    },
  };
}

/** What a service learns from the gateway: for how many milliseconds it still waits for the answer. */
export const remainingTimeHeader = 'x-remaining-milliseconds';
