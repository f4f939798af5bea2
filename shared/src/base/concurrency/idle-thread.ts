import { getPriority, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';

/** A worker thread that starts on demand and ends after a time without work. */
export interface IdleThread<To> {
  post(message: To): void;
  /** Declares that no work is in flight, which starts the idle timer. */
  rest(): void;
  /** Ends the thread; work in flight is lost. */
  close(): void;
}

export interface IdleThreadOptions<To, From> {
  /** The path of the compiled script. */
  readonly script: string;
  readonly workerData: unknown;
  readonly heapMegabytes: number;
  /** A thread takes a second to start and tens of megabytes, so it is kept for a while after its last work. */
  readonly idleMilliseconds?: number;
  /** Receives messages of the thread; `answer` replies to the same thread. */
  readonly take: (message: From, answer: (message: To) => void) => void;
  /** Called when the thread ended by itself; work in flight is lost. */
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
    started.once('error', (error) => drop(started, error));
    started.once('exit', () => drop(started, threadEnded()));
    return started;
  }

  /** Ignores events of a thread that was replaced: the work in flight belongs to its successor. */
  function drop(dropped: Worker, error: Error): void {
    if (thread !== dropped) return;
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

/** The calls in flight in a thread, by id. */
export interface UnderWay<Call> {
  add(call: Call): number;
  get(id: number): Call | undefined;
  isEmpty(): boolean;
  end(id: number): void;
  endAll(how: (call: Call) => void): void;
}

/** `rest` is called when the last call ends. */
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
    isEmpty: () => calls.size === 0,
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

/**
 * Lowers the priority of the current thread, so that others of the process run first. Only Linux has priorities per
 * thread; a no-op elsewhere.
 */
export function goLast(): void {
  goBehind(last);
}

/** As `goLast`, by as many steps of the scheduler (`nice`); each costs about a fifth of the share when all cores are busy. */
export function goBehind(steps: number): void {
  if (process.platform === 'linux' && getPriority() < steps) setPriority(steps);
}
