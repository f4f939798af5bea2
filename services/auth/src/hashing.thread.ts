import { scryptSync } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { goBehind } from '@itsm/shared/base/concurrency/idle-thread';
import type { FromHashing, ToHashing } from './start-hashing';
import { hashLength, toScryptOptions } from './directory/password';

// Uses scryptSync, one password at a time, so that the hash runs with the priority of this thread and not in the thread pool.
const port = parentPort;
if (!port) throw new Error('this is run as a thread');
// One step: calls go first when both are ready, but five steps left a third of a fair share, so that sign-ins failed first under load.
goBehind(1);

port.on('message', ({ password, salt, how }: ToHashing) => {
  const hash: FromHashing = scryptSync(password, salt, hashLength, toScryptOptions(how));
  port.postMessage(hash);
});
