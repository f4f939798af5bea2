import { resolve } from 'node:path';
import { createIdleThread } from '@itsm/shared/base/concurrency/idle-thread';
import { deriveWithScrypt, hashesAtOnce } from './directory/password';
import type { Derive, ScryptCost } from './directory/password';

export interface ToHashing {
  readonly password: string;
  readonly salt: Uint8Array;
  readonly how: ScryptCost;
}

export type FromHashing = Uint8Array;

/** Hashes passwords in threads that go after others: a hash takes a core for a third of a second, and small calls need it for a moment. */
export interface Hashing {
  readonly derive: Derive;
  /** Ends the threads. */
  close(): void;
}

/** Such a thread holds nothing but the password and its hash; scrypt's memory is outside of the heap. */
const heapMegabytes = 16;

/** The same seen from the sources and from what is compiled. */
const script = resolve(__dirname, '../dist/hashing.thread.js');

export function startHashing(): Hashing {
  const threads = Array.from({ length: hashesAtOnce }, createThread);
  return {
    async derive(password, salt, how) {
      const hash = await threads.find((thread) => thread.isFree())?.hash({ password, salt, how });
      // No more than `hashesAtOnce` ask at once; a thread that was lost has no answer.
      return hash ? Buffer.from(hash) : deriveWithScrypt(password, salt, how);
    },
    close() {
      for (const thread of threads) thread.close();
    },
  };
}

function createThread() {
  let done: ((hash: FromHashing | undefined) => void) | undefined;
  const end = (hash: FromHashing | undefined): void => {
    done?.(hash);
    done = undefined;
  };
  const thread = createIdleThread<ToHashing, FromHashing>({
    script,
    workerData: undefined,
    heapMegabytes,
    take(hash) {
      thread.rest();
      end(hash);
    },
    lost: () => end(undefined),
  });
  return {
    isFree: (): boolean => done === undefined,
    hash: (what: ToHashing) =>
      new Promise<FromHashing | undefined>((resolve) => {
        done = resolve;
        thread.post(what);
      }),
    close(): void {
      thread.close();
      end(undefined);
    },
  };
}
