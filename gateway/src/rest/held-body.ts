import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import type { HeldBody } from '../transport/held-bytes';

interface Holding {
  /** Bytes of the body that are buffered at most. */
  readonly most: number;
  /** Accounts for the buffered bytes. */
  readonly held: HeldBody;
}

/**
 * Buffers the body of `req` until it is complete or exceeds `most`, then streams it: a slow client takes no connection
 * to a service. Undefined when the client disconnects first; rejects when no more bytes may be buffered.
 */
export function holdBody(req: IncomingMessage, { most, held }: Holding): Promise<Readable | undefined> {
  // It accepts `most` bytes without back-pressure from its reader.
  const body = new PassThrough({ readableHighWaterMark: most + 1 });
  const release = (): void => held.close();
  body.once('end', release).once('close', release);
  return new Promise((resolve, reject) => {
    let length = 0;
    const show = (): void => {
      req.off('data', count);
      resolve(body);
    };
    const count = (chunk: Buffer): void => {
      length += chunk.length;
      const refusal = held.add(chunk.length);
      if (refusal) {
        req.off('data', count).unpipe(body).resume();
        body.destroy();
        reject(refusal);
      }
      if (length > most) show();
    };
    req.on('data', count);
    req.once('end', show);
    req.once('close', () => {
      if (!req.complete) body.destroy();
      resolve(req.complete ? body : undefined);
    });
    req.pipe(body);
  });
}
