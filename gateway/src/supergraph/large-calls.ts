import { resolve } from 'node:path';
import { answerTooLarge } from '@itsm/shared/api/graphql/write-answer';
import {
  createIdleThread,
  createUnderWay,
  isOutOfMemory,
  threadEnded,
} from '@itsm/shared/base/concurrency/idle-thread';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Execution, ServedResult } from '../execution/executor';
import type { ServiceCall } from '../execution/service-client';
import type { FromThread, LargeCall, LargeCallSetup, ToThread } from './large-call';

/** Runs large calls in a worker thread: reading, assembling and writing a hundred thousand nodes takes a second. */
export interface LargeCalls {
  execute(execution: Execution): Promise<ServedResult>;
  /** Ends the thread; calls in flight fail. */
  close(): void;
}

interface Running {
  readonly execution: Execution;
  readonly done: (result: ServedResult) => void;
  readonly failed: (error: unknown) => void;
}

const heapMegabytes = 256;

const script = resolve(__dirname, '../../dist/supergraph/large-calls.thread.js');

const tooLarge: ServedResult = { data: 'null', errors: [answerTooLarge], isIncomplete: false };

export function createLargeCalls(
  setup: Omit<LargeCallSetup, 'services'>,
  services: ReadonlyMap<string, ServiceCall>,
  logger: Logger,
  idleMilliseconds?: number,
): LargeCalls {
  const running = createUnderWay<Running>(() => thread.rest());
  let isClosed = false;

  const workerData: LargeCallSetup = { ...setup, services: [...services.keys()] };
  const thread = createIdleThread<ToThread, FromThread>({
    script,
    workerData,
    heapMegabytes,
    ...(idleMilliseconds !== undefined && { idleMilliseconds }),
    take(message, answer) {
      if (message.kind === 'fetch') void fetch(message, answer);
      else if (message.kind === 'log') logger[message.level](message.message, message.facts);
      else {
        const call = running.get(message.id);
        if (message.kind === 'failed') call?.failed(message.error);
        else call?.done(message);
        running.end(message.id);
      }
    },
    lost: (error) => running.endAll(({ done, failed }) => (isOutOfMemory(error) ? done(tooLarge) : failed(error))),
  });

  async function fetch(
    { fetch, id, service, body }: FromThread & { kind: 'fetch' },
    send: (message: ToThread) => void,
  ): Promise<void> {
    const context = running.get(id)?.execution.context;
    const answer = context && (await services.get(service)?.(body, context));
    // Copied, not transferred: the buffer of a socket may share its memory with other answers.
    send({ kind: 'fetched', fetch, answer });
  }

  return {
    execute(execution) {
      if (isClosed) return Promise.reject(threadEnded());
      const { operation, variables, coerced, context } = execution;
      const { document, hash, node, conditions } = operation;
      const { breakdown, ...price } = context.rateLimit;
      const call: LargeCall = {
        document,
        hash,
        conditions,
        variables,
        coerced,
        price,
        definition: document.definitions.indexOf(node),
        requestId: context.requestId,
        breakdown: breakdown(),
      };
      return new Promise((done, failed) => {
        const id = running.add({ execution, done, failed });
        thread.post({ kind: 'execute', id, call });
      });
    },
    close() {
      isClosed = true;
      thread.close();
      running.endAll(({ failed }) => failed(threadEnded()));
    },
  };
}
