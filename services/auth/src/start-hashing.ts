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

/** Hashes passwords in low-priority threads: a hash occupies a core for a third of a second, and must not delay short requests. */
export interface Hashing {
  readonly derive: Derive;
  /** Ends the threads. */
  close(): void;
}

/** A small heap is enough: scrypt allocates its memory outside of it. */
const heapMegabytes = 16;

/** From `src` (jest) and from `dist`, this path leads to the same compiled file. */
const script = resolve(__dirname, '../dist/hashing.thread.js');

export function startHashing(): Hashing {
  const threads = Array.from({ length: hashesAtOnce }, createThread);
  return {
    async derive(password, salt, how) {
      const hash = await threads.find((thread) => thread.isFree())?.hash({ password, salt, how });
      // At most `hashesAtOnce` callers run concurrently. A thread that died gives no answer; hash here instead.
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
