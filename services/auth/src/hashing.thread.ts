import { scryptSync } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { goLast } from '@itsm/shared/base/concurrency/idle-thread';
import type { FromHashing, ToHashing } from './start-hashing';
import { hashLength, toScryptOptions } from './directory/password';

// Hashes passwords one at a time, in this thread itself, so that the priority of the thread is that of the hashes.
const port = parentPort;
if (!port) throw new Error('this is run as a thread');
goLast();

port.on('message', ({ password, salt, how }: ToHashing) => {
  const hash: FromHashing = scryptSync(password, salt, hashLength, toScryptOptions(how));
  port.postMessage(hash);
});
