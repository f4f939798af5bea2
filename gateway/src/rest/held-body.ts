import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import type { HeldBody } from '../transport/held-bytes';

interface Holding {
  /** Bytes that are held back. */
  readonly most: number;
  /** Counts them. */
  readonly held: HeldBody;
}

/**
 * The body of `req` once all of it is here, or so much that it is streamed on: nothing of a service is taken for a client that
 * still sends a small one. Resolves with undefined when the client leaves before; rejects when no more bytes may be held.
 */
export function holdBody(req: IncomingMessage, { most, held }: Holding): Promise<Readable | undefined> {
  // It takes a body of `most` bytes without waiting for who reads it.
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
