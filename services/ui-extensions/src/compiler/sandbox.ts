import { fork } from 'node:child_process';
import type { ChildProcess, Serializable } from 'node:child_process';
import { outOfTimeSignal } from './serve-sandbox';
import type { SandboxJob, SandboxMessage } from './serve-sandbox';

export interface SandboxLimits {
  /** Limit of the JavaScript heap. */
  readonly memoryMegabytes: number;
  /** CPU time limit of one job. */
  readonly jobCpuMilliseconds: number;
  /** The same for a sandbox's first job, whose code is not optimised yet. */
  readonly firstJobCpuMilliseconds: number;
  /** Wall-clock limit of a job. A machine that cannot give it its CPU time within this is overloaded. */
  readonly jobMilliseconds: number;
  readonly startMilliseconds: number;
}

/** The outcome of a job: done, ended at its limit of CPU time or memory, or `gone` when its process ended for another reason. */
export type Ran<R> =
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'too much work' | 'too large' }
  | { readonly kind: 'gone'; readonly reason: string };

/** A process that runs one job at a time and can be killed during it. */
export interface Sandbox<J, R> {
  /** Rejects when the process does not start. */
  readonly ready: Promise<void>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** Rejects when the work throws. A job over a limit ends the sandbox. */
  run(job: J): Promise<Ran<R>>;
  end(): Promise<void>;
}

/**
 * Runs a compiled `script` that calls `serveSandbox`. A process, not a worker thread: one allocation beyond a thread's
 * memory limit aborts the whole process.
 */
export function startSandbox<J extends Serializable, R>(script: string, limits: SandboxLimits): Sandbox<J, R> {
  const child = fork(script, {
    execArgv: [`--max-old-space-size=${limits.memoryMegabytes}`],
    // No environment, so that untrusted code cannot read secrets.
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const ending = endOf(child);
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ending;
  };

  /** The next message of the process, or its end. */
  async function nextMessage(milliseconds: number): Promise<SandboxMessage<R> | Ended> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, milliseconds);
    const message = new Promise<SandboxMessage<R>>((resolve) => child.once('message', resolve as () => void));
    const next = await Promise.race([message, ending]);
    clearTimeout(timer);
    return late && next.kind === 'gone' ? { ...next, reason: 'it was too slow' } : next;
  }

  async function start(): Promise<void> {
    const message = await nextMessage(limits.startMilliseconds);
    if (message.kind !== 'ready')
      throw new Error(`A sandbox did not start: ${'reason' in message ? message.reason : message.kind}`);
  }

  let jobs = 0;
  return {
    ready: start(),
    ended: ending.then(() => undefined),
    async run(job) {
      const cpuMilliseconds = jobs === 0 ? limits.firstJobCpuMilliseconds : limits.jobCpuMilliseconds;
      jobs += 1;
      // Errors of `send` are ignored: when the process is gone, `ending` reports it.
      child.send({ job, cpuMilliseconds } satisfies SandboxJob<J>, () => undefined);
      const message = await nextMessage(limits.jobMilliseconds);
      if (message.kind === 'broken') throw new Error(message.reason);
      if (message.kind === 'ready') throw new Error('A sandbox started twice');
      return message;
    },
    end,
  };
}

type Ended = Exclude<Ran<never>, { readonly kind: 'done' }>;

const keptOutput = 2_000;

function endOf(child: ChildProcess): Promise<Ended> {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-keptOutput)));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      // A failed `send` is an `error` too, but that process still emits `exit`. Only a process that never started does not.
      if (child.pid === undefined) resolve({ kind: 'gone', reason: error.message });
    });
    child.on('exit', (code, signal) => {
      if (signal === outOfTimeSignal) resolve({ kind: 'too much work' });
      // V8 aborts when the heap is full; where there are no signals, Node exits with 134.
      else if (signal === 'SIGABRT' || code === 134) resolve({ kind: 'too large' });
      else resolve({ kind: 'gone', reason: `it ended by itself: ${signal ?? code} ${output}` });
    });
  });
}
