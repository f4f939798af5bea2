import type { PresentCall } from '../../base/concurrency/present-call';
import { createIdleThread, createUnderWay, isOutOfMemory, threadEnded } from '../../base/concurrency/idle-thread';
import type { Logger } from '../../observing/logs/logger';
import type { FromLargeQueries, LargeQuery, ToLargeQueries } from './large-query';
import { answerTooLarge } from './write-answer';

export interface LargeAnswer {
  readonly status: number;
  /** JSON, encoded as UTF-8. */
  readonly body: Uint8Array;
}

/**
 * Answers large queries in a worker thread. Such a query creates a quarter of a million objects that die together;
 * their garbage collection would block the event loop of the main thread.
 */
export interface LargeQueries {
  answer(query: LargeQuery, call: PresentCall): Promise<LargeAnswer>;
  /** Ends the thread; queries in flight fail. */
  close(): void;
}

interface Options {
  /** The compiled script that calls `serveLargeQueries`. */
  readonly script: string;
  readonly workerData: unknown;
  readonly logger: Logger;
  readonly idleMilliseconds?: number;
}

interface Waiting {
  readonly done: (answer: LargeAnswer) => void;
  readonly failed: (error: unknown) => void;
}

const heapMegabytes = 288;

const tooLarge = (): LargeAnswer => ({
  status: 200,
  body: Buffer.from(JSON.stringify({ data: null, errors: [answerTooLarge] })),
});

export function createLargeQueries({ logger, ...options }: Options): LargeQueries {
  const waiting = createUnderWay<Waiting>(() => thread.rest());
  const thread = createIdleThread<ToLargeQueries, FromLargeQueries>({
    ...options,
    heapMegabytes,
    take(message) {
      if (message.kind === 'log') {
        logger[message.level](message.message, message.facts);
        return;
      }
      const one = waiting.get(message.id);
      if (message.kind === 'failed') one?.failed(message.error);
      else one?.done(message);
      waiting.end(message.id);
    },
    lost: (error) => waiting.endAll(({ done, failed }) => (isOutOfMemory(error) ? done(tooLarge()) : failed(error))),
  });

  return {
    async answer(query, call) {
      const { signal } = call;
      signal?.throwIfAborted();
      const ended = new AbortController();
      const answered = new Promise<LargeAnswer>((done, failed) => {
        const id = waiting.add({ done, failed });
        const leave = (): void => {
          thread.post({ kind: 'leave', id });
          waiting.get(id)?.failed(signal?.reason);
          waiting.end(id);
        };
        thread.post({ kind: 'answer', id, query, milliseconds: call.left() });
        signal?.addEventListener('abort', leave, { signal: ended.signal });
      });
      return answered.finally(() => ended.abort());
    },
    close() {
      thread.close();
      waiting.endAll(({ failed }) => failed(threadEnded()));
    },
  };
}
