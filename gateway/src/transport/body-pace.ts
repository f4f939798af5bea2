import type { IncomingMessage } from 'node:http';
import { AppError } from '@itsm/shared/base/errors/app-error';

/** A body has to be here within some seconds, and one second more for each of these portions. */
export const bodyPace = { milliseconds: 10_000, bytesPerSecond: 10_000 } as const;

/** Time as it passes, in milliseconds; `after` resolves with what takes the wait back. */
export interface Timer {
  now(): number;
  after(milliseconds: number, work: () => void): () => void;
}

const systemTimer: Timer = {
  now: () => performance.now(),
  after(milliseconds, work) {
    const timeout = setTimeout(work, milliseconds);
    return () => clearTimeout(timeout);
  },
};

/**
 * Calls `late` once when the body of `req` comes more slowly than `bodyPace`: a client that sends a byte now and then would
 * hold what is kept for it as long as it likes. Time in which the body was not read is not the client's.
 */
export function watchPace(req: IncomingMessage, late: (error: AppError) => void, timer = systemTimer): void {
  if (req.complete) return;
  let received = 0;
  let allowed = bodyPace.milliseconds;
  const began = timer.now();
  const count = (chunk: Buffer): void => void (received += chunk.length);
  const check = (): void => {
    if (req.readableFlowing === false) allowed += bodyPace.milliseconds;
    const left = allowed + (received / bodyPace.bytesPerSecond) * 1_000 - (timer.now() - began);
    if (left > 0) {
      cancel = timer.after(left, check);
      return;
    }
    end();
    late(tooSlow());
  };
  let cancel = timer.after(bodyPace.milliseconds, check);
  const end = (): void => {
    cancel();
    req.off('data', count).off('close', end);
  };
  req.on('data', count).once('end', end).once('close', end);
}

const tooSlow = (): AppError =>
  new AppError('request_timeout', 'The body came too slowly', { headers: { Connection: 'close' } });
