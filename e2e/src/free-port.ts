import { createServer } from 'node:net';

/**
 * Below Linux's ephemeral ports (32,768 to 60,999): an outgoing connection could take one of those between the choice
 * and the listening.
 */
const lowest = 10_240;
const count = 22_528;
/** Processes start at different offsets and count up, so that no port is given twice before its first user listens. */
let next = (process.pid * 7_919) % count;

/** A loopback port that is currently free. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < count; tried += 1) {
    const port = lowest + next;
    next = (next + 1) % count;
    if (await isFree(port)) return port;
  }
  throw new Error('No port of the loopback is free.');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
