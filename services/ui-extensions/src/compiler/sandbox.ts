import { fork } from 'node:child_process';
import type { ChildProcess, Serializable } from 'node:child_process';
import { outOfTimeSignal } from './serve-sandbox';
import type { SandboxJob, SandboxMessage } from './serve-sandbox';

export interface SandboxLimits {
  /** Of the JavaScript heap. */
  readonly memoryMegabytes: number;
  /** Processor time for one job. */
  readonly jobCpuMilliseconds: number;
  /** For the first job of a sandbox, whose code is not optimised yet. */
  readonly firstJobCpuMilliseconds: number;
  /** How long a job may go on by the clock: a machine that gives it no processor time in this is overloaded. */
  readonly jobMilliseconds: number;
  readonly startMilliseconds: number;
}

/** A job is done, or was ended because it took too much work or memory, or its process ended for a reason that is not the job's. */
export type Ran<R> =
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'too much work' | 'too large' }
  | { readonly kind: 'gone'; readonly reason: string };

/** A process that works on one job at a time and can be ended in the middle of it. */
export interface Sandbox<J, R> {
  /** Rejects when the process does not start. */
  readonly ready: Promise<void>;
  /** After this the sandbox can do nothing any more. */
  readonly ended: Promise<void>;
  /** Rejects when the work fails. A job over a limit ends the sandbox. */
  run(job: J): Promise<Ran<R>>;
  end(): Promise<void>;
}

/**
 * Runs a compiled `script` that calls `serveSandbox`. A process, not a thread: a thread's memory limit is not kept when a
 * single allocation goes beyond it, and the whole process aborts.
 */
export function startSandbox<J extends Serializable, R>(script: string, limits: SandboxLimits): Sandbox<J, R> {
  const child = fork(script, {
    execArgv: [`--max-old-space-size=${limits.memoryMegabytes}`],
    // It shall know no secrets.
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const ending = endOf(child);
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ending;
  };

  /** What the process says next, or how it ended before. */
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
      // When the process is gone, its end says so.
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
      // Also what could not be sent to a process that still ends; only one that never began has no end.
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
