import { createServer } from 'node:net';

/**
 * Below what Linux hands out by itself (32,768 to 60,999): a port from there is taken by any outgoing connection that is opened
 * between the choice and the listening.
 */
const lowest = 10_240;
const count = 22_528;
/** Processes begin far from each other, and each counts up: no port is given twice while its first user has yet to listen. */
let next = (process.pid * 7_919) % count;

/** A port of the loopback that was free a moment ago. */
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
