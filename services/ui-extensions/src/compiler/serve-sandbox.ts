import { Worker } from 'node:worker_threads';

/** A job for a sandbox, with its CPU time limit. */
export interface SandboxJob<J> {
  readonly job: J;
  readonly cpuMilliseconds: number;
}

/** The messages of a sandbox: `ready`, then one answer to each job. */
export type SandboxMessage<R> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'broken'; readonly reason: string };

/** The signal for a sandbox that has used up its CPU time, as the system's virtual timer would send. */
export const outOfTimeSignal = 'SIGVTALRM';

/** The child side of a sandbox: runs `work` for every job of the parent process. */
export function serveSandbox<J, R>(work: (job: J) => R): void {
  // Ignores signals to the process group: the parent ends its sandboxes when it no longer needs them.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
  const within = startWatch();
  const send = (message: SandboxMessage<R>): void => void process.send?.(message);
  process.on('message', (message) => {
    const { job, cpuMilliseconds } = message as SandboxJob<J>;
    send(within(cpuMilliseconds, () => answerTo(work, job)));
  });
  send({ kind: 'ready' });
}

function answerTo<J, R>(work: (job: J) => R, job: J): SandboxMessage<R> {
  try {
    return { kind: 'done', result: work(job) };
  } catch (error) {
    return { kind: 'broken', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/**
 * A watchdog thread. It ends the process when a job has used up its CPU time, or when the parent is gone: a busy
 * sandbox would not notice that its channel has closed. CPU time, unlike wall-clock time, does not pass while other
 * processes run. The thread sleeps while there is no job.
 */
function startWatch(): <T>(cpuMilliseconds: number, work: () => T) => T {
  const job = new Int32Array(new SharedArrayBuffer(4));
  const end = new Float64Array(new SharedArrayBuffer(8));
  new Worker(`(${watch.toString()})(require('node:worker_threads').workerData)`, {
    eval: true,
    workerData: { job, end, parent: process.ppid, outOfTimeSignal },
  }).unref();
  let jobs = 0;
  return (cpuMilliseconds, work) => {
    const { user, system } = process.cpuUsage();
    end[0] = (user + system) / 1_000 + cpuMilliseconds;
    Atomics.store(job, 0, (jobs += 1));
    Atomics.notify(job, 0);
    try {
      return work();
    } finally {
      Atomics.store(job, 0, 0);
    }
  };
}

interface Watched {
  /** The number of the running job; 0 when there is none. */
  readonly job: Int32Array<SharedArrayBuffer>;
  /** The process's CPU time at which the running job is over its limit. */
  readonly end: Float64Array<SharedArrayBuffer>;
  readonly parent: number;
  readonly outOfTimeSignal: NodeJS.Signals;
}

/** Runs as the source of a thread, so it must not use anything from outside itself. */
function watch({ job, end, parent, outOfTimeSignal: signal }: Watched): void {
  for (;;) {
    const number = Atomics.load(job, 0);
    Atomics.wait(job, 0, number, number === 0 ? 1_000 : 20);
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    const { user, system } = process.cpuUsage();
    const isOver = (user + system) / 1_000 > (end[0] ?? 0);
    // Check the job number again: if another job has started, `end` may have been that of the previous one.
    if (isOver && number !== 0 && Atomics.load(job, 0) === number) process.kill(process.pid, signal);
  }
}
