import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { AppError } from '../../base/errors/app-error';

/** Aborts when the connection closes before the answer is written: nobody waits for it any more. */
export function departureOf(res: ServerResponse): AbortSignal {
  const departure = new AbortController();
  // Everything that is read for one answer listens, which may be hundreds of reads.
  setMaxListeners(0, departure.signal);
  res.once('close', () => {
    if (!res.writableFinished) departure.abort(new AppError('service_unavailable', 'Nobody waits for the answer'));
  });
  return departure.signal;
}

/** What a service learns from the gateway: for how many milliseconds it still waits for the answer. */
export const remainingTimeHeader = 'x-remaining-milliseconds';
