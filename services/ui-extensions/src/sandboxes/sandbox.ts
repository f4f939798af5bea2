import { fork } from 'node:child_process';
import type { ChildProcess, Serializable } from 'node:child_process';
import type { SandboxMessage } from './serve-sandbox';

export interface SandboxLimits {
  /** Of the JavaScript heap. */
  readonly memoryMegabytes: number;
  /** For one job. */
  readonly jobMilliseconds: number;
  /** For the first job of a sandbox, whose code is not optimised yet. */
  readonly firstJobMilliseconds: number;
  readonly startMilliseconds: number;
}

/** A job is done, or was ended because it took too long or too much memory. */
export type Ran<R> = { readonly kind: 'done'; readonly result: R } | { readonly kind: 'too slow' | 'too large' };

/** A process that works on one job at a time and can be ended in the middle of it. */
export interface Sandbox<J, R> {
  /** Rejects when the process does not start. */
  readonly ready: Promise<void>;
  /** After this the sandbox can do nothing any more. */
  readonly ended: Promise<void>;
  /** Rejects when the process breaks. A job over a limit ends the sandbox. */
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

  /** What the process says next; `undefined` when it had to be ended before. */
  async function nextMessage(milliseconds: number): Promise<SandboxMessage<R> | 'too slow' | 'too large'> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, milliseconds);
    const message = new Promise<SandboxMessage<R>>((resolve) => child.once('message', resolve as () => void));
    const next = await Promise.race([message, ending]);
    clearTimeout(timer);
    if ('kind' in next) return next;
    if (late) return 'too slow';
    if (next.outOfMemory) return 'too large';
    throw new Error(`A sandbox ended by itself: ${next.reason}`);
  }

  async function start(): Promise<void> {
    const message = await nextMessage(limits.startMilliseconds);
    if (typeof message === 'string') throw new Error(`A sandbox is ${message} to start`);
  }

  let jobs = 0;
  return {
    ready: start(),
    ended: ending.then(() => undefined),
    async run(job) {
      // When the process is gone, its end says so.
      child.send(job, () => undefined);
      const message = await nextMessage(jobs === 0 ? limits.firstJobMilliseconds : limits.jobMilliseconds);
      jobs += 1;
      if (typeof message === 'string') return { kind: message };
      if (message.kind === 'done') return message;
      throw new Error(message.kind === 'broken' ? message.reason : 'A sandbox started twice');
    },
    end,
  };
}

interface End {
  readonly outOfMemory: boolean;
  readonly reason: string;
}

const keptOutput = 2_000;

function endOf(child: ChildProcess): Promise<End> {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-keptOutput)));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      // Also what could not be sent to a process that still ends; only one that never began has no end.
      if (child.pid === undefined) resolve({ outOfMemory: false, reason: error.message });
    });
    // V8 aborts when the heap is full; where there are no signals, Node exits with 134.
    child.on('exit', (code, signal) =>
      resolve({ outOfMemory: signal === 'SIGABRT' || code === 134, reason: `${signal ?? code} ${output}` }),
    );
  });
}
