import type { IncomingMessage } from 'node:http';
import { AppError } from '@itsm/shared/base/errors/app-error';

/** Minimum pace: a body must be complete within `milliseconds`, plus one second for every `bytesPerSecond` received. */
export const bodyPace = { milliseconds: 10_000, bytesPerSecond: 10_000 } as const;

/** A timer in milliseconds; `after` returns a function that cancels it. */
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
 * Calls `late` once when the body of `req` arrives more slowly than `bodyPace`. Without it, a client that sends single
 * bytes could hold a connection for as long as it likes (slowloris). Time without a reader (back-pressure) is not
 * charged to the client.
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
