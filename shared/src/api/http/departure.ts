import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { AppError } from '../../base/errors/app-error';

/** Whether clients still wait for an answer. */
export interface Departure {
  /** Aborts when no client waits any more. */
  readonly signal: AbortSignal;
  /** Adds a waiting client; call the returned function when it disconnects. */
  join(): () => void;
}

/** Aborts when the connection closes before the answer is written. */
export const departureOf = (res: ServerResponse): AbortSignal => sharedDepartureOf(res).signal;

/** Like `departureOf`, for an answer that several clients may share. */
export function sharedDepartureOf(res: ServerResponse): Departure {
  const departure = new AbortController();
  // Every read of the answer adds a listener, which may be hundreds; this silences Node's leak warning.
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

/** The header by which the gateway passes on its deadline: the milliseconds left for the answer. */
export const remainingTimeHeader = 'x-remaining-milliseconds';
