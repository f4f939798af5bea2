import { getPriority, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';

/** A thread that is started when it is needed, and ends when nothing has been for a while. */
export interface IdleThread<To> {
  post(message: To): void;
  /** Says that nothing is under way until the next message. */
  rest(): void;
  /** Ends the thread, with what is under way. */
  close(): void;
}

export interface IdleThreadOptions<To, From> {
  /** What has been compiled. */
  readonly script: string;
  readonly workerData: unknown;
  readonly heapMegabytes: number;
  /** A thread takes a second to start, and tens of megabytes, so it stays for a while after it was needed. */
  readonly idleMilliseconds?: number;
  /** Takes what the thread says; `answer` speaks to that very thread. */
  readonly take: (message: From, answer: (message: To) => void) => void;
  /** The thread has ended by itself, with all that was under way. */
  readonly lost: (error: Error) => void;
}

export function createIdleThread<To, From>(options: IdleThreadOptions<To, From>): IdleThread<To> {
  const { script, workerData, heapMegabytes, idleMilliseconds = 60_000, take, lost } = options;
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(script, { workerData, resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } });
    started.unref();
    started.on('message', (message: From) => take(message, (answer) => started.postMessage(answer)));
    started.once('error', (error) => leave(started, error));
    started.once('exit', () => leave(started, threadEnded()));
    return started;
  }

  /** One that was left before is at nothing any more: what is under way is with another one. */
  function leave(left: Worker, error: Error): void {
    if (thread !== left) return;
    thread = undefined;
    lost(error);
  }

  function end(): void {
    clearTimeout(idle);
    void thread?.terminate();
    thread = undefined;
  }

  return {
    post(message) {
      clearTimeout(idle);
      thread ??= start();
      thread.postMessage(message);
    },
    rest() {
      clearTimeout(idle);
      idle = setTimeout(end, idleMilliseconds);
      idle.unref();
    },
    close: end,
  };
}

/** What is under way in a thread, each under a number of its own. */
export interface UnderWay<Call> {
  add(call: Call): number;
  get(id: number): Call | undefined;
  end(id: number): void;
  endAll(how: (call: Call) => void): void;
}

/** `rest` is called when the last one has ended by itself. */
export function createUnderWay<Call>(rest: () => void): UnderWay<Call> {
  const calls = new Map<number, Call>();
  let last = 0;
  return {
    add(call) {
      last += 1;
      calls.set(last, call);
      return last;
    },
    get: (id) => calls.get(id),
    end(id) {
      calls.delete(id);
      if (calls.size === 0) rest();
    },
    endAll(how) {
      for (const call of calls.values()) how(call);
      calls.clear();
    },
  };
}

export const threadEnded = (): Error => new Error('the thread for large calls ended');

export const isOutOfMemory = (error: Error): boolean => 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const last = 5;

/** Lets other threads go first, of this process too: on Linux each thread has a priority of its own, elsewhere nothing is done. */
export function goLast(): void {
  if (process.platform === 'linux' && getPriority() < last) setPriority(last);
}
