import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { answerTooLarge } from '@itsm/shared/api/graphql/write-answer';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Execution, ServedResult } from '../execution/executor';
import type { ServiceCall } from '../execution/service-client';
import type { FromThread, LargeCall, LargeCallSetup, ToThread } from './large-call';

/** Runs calls in a worker thread: to read, assemble and write a hundred thousand nodes takes a second. */
export interface LargeCalls {
  execute(execution: Execution): Promise<ServedResult>;
  /** Ends the thread; calls under way fail. */
  close(): void;
}

interface Running {
  readonly execution: Execution;
  readonly done: (result: ServedResult) => void;
  readonly failed: (error: unknown) => void;
}

const heapMegabytes = 256;

const script = resolve(__dirname, '../../dist/supergraph/large-calls.thread.js');

const isOutOfMemory = (error: Error): boolean => 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
const ended = (): Error => new Error('the thread for large calls ended');
const tooLarge: ServedResult = { data: 'null', errors: [answerTooLarge], isIncomplete: false };

/** A thread takes a second to start and some 100 MB, so it stays for a while after its last call. */
export function createLargeCalls(
  setup: Omit<LargeCallSetup, 'services'>,
  services: ReadonlyMap<string, ServiceCall>,
  logger: Logger,
  idleMilliseconds = 60_000,
): LargeCalls {
  const running = new Map<number, Running>();
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last = 0;
  let isClosed = false;

  function start(): Worker {
    const workerData: LargeCallSetup = { ...setup, services: [...services.keys()] };
    const started = new Worker(script, { workerData, resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } });
    started.unref();
    started.on('message', (message: FromThread) => take(started, message));
    started.once('error', (error) => {
      if (leave(started)) endAll(({ done, failed }) => (isOutOfMemory(error) ? done(tooLarge) : failed(error)));
    });
    started.once('exit', () => {
      if (leave(started)) endAll(({ failed }) => failed(ended()));
    });
    return started;
  }

  function take(from: Worker, message: FromThread): void {
    if (message.kind === 'fetch') void fetch(from, message);
    else if (message.kind === 'log') logger[message.level](message.message, message.facts);
    else {
      const call = running.get(message.id);
      if (message.kind === 'failed') call?.failed(message.error);
      else call?.done(message);
      end(message.id);
    }
  }

  async function fetch(from: Worker, { fetch, id, service, body }: FromThread & { kind: 'fetch' }): Promise<void> {
    const context = running.get(id)?.execution.context;
    const answer = context && (await services.get(service)?.(body, context));
    // It is copied, not transferred: a buffer from a socket may share its memory with other answers.
    from.postMessage({ kind: 'fetched', fetch, answer } satisfies ToThread);
  }

  function end(id: number): void {
    running.delete(id);
    if (running.size > 0) return;
    idle = setTimeout(endThread, idleMilliseconds);
    idle.unref();
  }

  /** False for a thread that was replaced before: the calls under way are in another one. */
  function leave(left: Worker): boolean {
    if (thread !== left) return false;
    thread = undefined;
    return true;
  }

  function endAll(how: (call: Running) => void): void {
    for (const call of running.values()) how(call);
    running.clear();
  }

  function endThread(): void {
    clearTimeout(idle);
    void thread?.terminate();
    thread = undefined;
  }

  return {
    execute(execution) {
      if (isClosed) return Promise.reject(ended());
      clearTimeout(idle);
      last += 1;
      const id = last;
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
        running.set(id, { execution, done, failed });
        thread ??= start();
        thread.postMessage({ kind: 'execute', id, call } satisfies ToThread);
      });
    },
    close() {
      isClosed = true;
      endThread();
      endAll(({ failed }) => failed(ended()));
    },
  };
}
