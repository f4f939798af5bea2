import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster, Redis } from 'ioredis';

/** How many calls may wait at once in a process; more are refused, so that an absence does not fill the memory. */
const mostWaiting = 1_000;
const milliseconds = 50;

export interface Patience {
  /**
   * Asks the store as soon as it is there. Rejects when it has been away for longer than the absence that is waited out,
   * when too many wait, and when the connection was lost under a question that may have been answered.
   */
  whenThere<T>(ask: () => Promise<T>): Promise<T>;
  /** The same for a question that may be asked twice: it is repeated after a lost connection as well. */
  untilAnswered<T>(ask: () => Promise<T>): Promise<T>;
  /** Refuses all who wait, and everything after. */
  end(): void;
}

/**
 * Waits out a short absence of the store, such as a restart or a failover. The absence counts, not the wait of a call:
 * once it is longer, calls are refused at once. Nothing is decided without the store.
 */
export function createPatience(redis: Redis | Cluster, longestAbsence: number): Patience {
  let awaySince = performance.now();
  let isAway = true;
  let waiting = 0;
  let hasEnded = false;
  let look: Promise<void> | undefined;
  redis.on('ready', () => (isAway = false));
  // A silent connection is given up after the longest absence, so by then it has been away for that long.
  redis.on('error', (error: Error) => isSilence(error) && leave(performance.now() - longestAbsence));
  redis.on('close', () => leave(performance.now()));
  // The library ends for good when it learns of a failover while it asks the sentinels for the master.
  redis.on('end', () => void nextLook().then(() => (hasEnded ? undefined : redis.connect().catch(() => undefined))));

  function leave(since: number): void {
    if (!isAway) awaySince = since;
    isAway = true;
  }

  /** One timer for all who wait. */
  const nextLook = (): Promise<void> => (look ??= pause(milliseconds).finally(() => (look = undefined)));

  const isReady = (): boolean => redis.status === 'ready';

  async function waitUntilReady(giveUpAt: () => number): Promise<void> {
    if (isReady()) return;
    if (waiting >= mostWaiting) throw new Error('Too many calls wait for the coordination store');
    waiting += 1;
    try {
      while (!isReady()) {
        if (hasEnded) throw new Error('The coordination store is closed');
        if (performance.now() >= giveUpAt()) throw new Error('The coordination store is out of reach');
        await nextLook();
      }
    } finally {
      waiting -= 1;
    }
  }

  async function patiently<T>(ask: () => Promise<T>, mayRepeat: (error: Error) => boolean): Promise<T> {
    const startedAt = performance.now();
    // A store that answers with refusals, such as a master without its majority, is away from the first one on.
    const giveUpAt = (): number => (isAway ? awaySince : startedAt) + longestAbsence;
    for (;;) {
      await waitUntilReady(giveUpAt);
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof Error) || !mayRepeat(error) || performance.now() >= giveUpAt()) throw error;
        await nextLook();
      }
    }
  }

  return {
    whenThere: (ask) => patiently(ask, hasNotRun),
    untilAnswered: (ask) => patiently(ask, (error) => hasNotRun(error) || !isReply(error)),
    end: () => void (hasEnded = true),
  };
}

const isReply = (error: Error): boolean => error.name === 'ReplyError';
const isSilence = ({ message }: Error): boolean => message.startsWith('Socket timeout');

/** Whether the command was never sent, or refused before it ran. */
const hasNotRun = (error: Error): boolean =>
  error.message.includes('enableOfflineQueue') ||
  (isReply(error) && /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|UNBLOCKED)\b|NOREPLICAS/.test(error.message));
