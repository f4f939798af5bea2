import { Worker } from 'node:worker_threads';

/** What a sandbox is asked to do, and with how much processor time. */
export interface SandboxJob<J> {
  readonly job: J;
  readonly cpuMilliseconds: number;
}

/** What a sandbox says: that it is ready, then one answer to each job. */
export type SandboxMessage<R> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'broken'; readonly reason: string };

/** How a sandbox ends that has used up its processor time: as with the timer of the system that counts it. */
export const outOfTimeSignal = 'SIGVTALRM';

/** The inside of a sandbox: does `work` for every job that its parent process sends. */
export function serveSandbox<J, R>(work: (job: J) => R): void {
  // Signals to the whole process group are for the parent, which ends its sandboxes when it needs them no longer.
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
 * A thread that ends the process when a job has used up its processor time, which does not pass while other processes have
 * the processor, or when the parent is gone: an idle sandbox ends when the channel to its parent closes; a busy one would not
 * even notice. It sleeps while there is no job.
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
  /** The number of the job that is under way; 0 when there is none. */
  readonly job: Int32Array<SharedArrayBuffer>;
  /** The processor time of the process at which the job is out of time. */
  readonly end: Float64Array<SharedArrayBuffer>;
  readonly parent: number;
  readonly outOfTimeSignal: NodeJS.Signals;
}

/** Stands in a thread by itself: it uses nothing from outside. */
function watch({ job, end, parent, outOfTimeSignal: signal }: Watched): void {
  for (;;) {
    const number = Atomics.load(job, 0);
    Atomics.wait(job, 0, number, number === 0 ? 1_000 : 20);
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    const { user, system } = process.cpuUsage();
    const isOver = (user + system) / 1_000 > (end[0] ?? 0);
    // Not when the job is another by now: its end may not have been read.
    if (isOver && number !== 0 && Atomics.load(job, 0) === number) process.kill(process.pid, signal);
  }
}
