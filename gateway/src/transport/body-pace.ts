import type { IncomingMessage } from 'node:http';
import { AppError } from '@itsm/shared/base/errors/app-error';

/** A body has to be here within some seconds, and one second more for each of these portions. */
export const bodyPace = { milliseconds: 10_000, bytesPerSecond: 10_000 } as const;

/**
 * Calls `late` once when the body of `req` comes more slowly than `bodyPace`: a client that sends a byte now and then would
 * hold what is kept for it as long as it likes. Time in which the body was not read is not the client's.
 */
export function watchPace(req: IncomingMessage, late: (error: AppError) => void): void {
  if (req.complete) return;
  let received = 0;
  let allowed = bodyPace.milliseconds;
  const began = performance.now();
  const count = (chunk: Buffer): void => void (received += chunk.length);
  const end = (): void => {
    clearTimeout(timer);
    req.off('data', count);
  };
  const check = (): void => {
    if (req.readableFlowing === false) allowed += bodyPace.milliseconds;
    const left = allowed + (received / bodyPace.bytesPerSecond) * 1_000 - (performance.now() - began);
    if (left > 0) {
      timer = setTimeout(check, left);
      return;
    }
    end();
    late(tooSlow());
  };
  let timer = setTimeout(check, bodyPace.milliseconds);
  req.on('data', count).once('end', end).once('close', end);
}

const tooSlow = (): AppError =>
  new AppError('request_timeout', 'The body came too slowly', { headers: { Connection: 'close' } });
