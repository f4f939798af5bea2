import { Worker } from 'node:worker_threads';

/** What a sandbox says: that it is ready, then one answer to each job. */
export type SandboxMessage<R> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'broken'; readonly reason: string };

/** The inside of a sandbox: does `work` for every job that its parent process sends. */
export function serveSandbox<J, R>(work: (job: J) => R): void {
  // Signals to the whole process group are for the parent, which ends its sandboxes when it needs them no longer.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
  endWithParent();
  const send = (message: SandboxMessage<R>): void => void process.send?.(message);
  process.on('message', (job) => send(answerTo(work, job as J)));
  send({ kind: 'ready' });
}

function answerTo<J, R>(work: (job: J) => R, job: J): SandboxMessage<R> {
  try {
    return { kind: 'done', result: work(job) };
  } catch (error) {
    return { kind: 'broken', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

// An idle sandbox ends when the channel to its parent closes; a busy one would not even notice.
function endWithParent(): void {
  const watch = `const { workerData } = require('node:worker_threads');
    setInterval(() => process.ppid === workerData || process.kill(process.pid, 'SIGKILL'), 1000);`;
  new Worker(watch, { eval: true, workerData: process.ppid }).unref();
}
