import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/** A child process of a test, with its output. */
export interface Child {
  readonly process: ChildProcess;
  output(): string;
  /** The first match in its output; rejects when it ends without one. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  stop(): Promise<number | null>;
}

interface Options {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const path = { PATH: process.env['PATH'] ?? '' };

export const startChild = (script: string, args: readonly string[], { cwd, env }: Options): Child =>
  observed(
    spawn(process.execPath, ['--enable-source-maps', script, ...args], {
      cwd,
      env: { ...path, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );

/** Like `startChild`, with an IPC channel. */
export const forkChild = (script: string, { cwd, env }: Options): Child =>
  observed(
    fork(script, {
      cwd,
      env: { ...path, ...env },
      execArgv: ['--enable-source-maps'],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    }),
  );

function observed(child: ChildProcess): Child {
  let output = '';
  const waiting = new Set<() => void>();
  const hear = (chunk: Buffer): void => {
    output += chunk.toString();
    for (const look of waiting) look();
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    process: child,
    output: () => output,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(output);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
        void exited.then((code) => reject(new Error(`A process ended with ${String(code)}:\n${output}`)));
      }),
    stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      return exited;
    },
  };
}
