import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';

/** Bytes of a body that are held back. */
const mostHeld = 1024 * 1024;

/**
 * The body of `req` once all of it is here, or so much that it is streamed on: nothing of a service is taken for a client that
 * still sends a small one. Resolves with undefined when the client leaves before.
 */
export function holdBody(req: IncomingMessage): Promise<Readable | undefined> {
  const held = new PassThrough({ highWaterMark: mostHeld });
  return new Promise((resolve) => {
    const show = (): void => resolve(held);
    req.once('end', show);
    req.once('close', () => resolve(req.complete ? held : undefined));
    req.pipe(held);
    // Runs after the pipe has written: a full pipe pauses `req`, and then no data event follows.
    req.on('data', () => held.writableNeedDrain && show());
  });
}
