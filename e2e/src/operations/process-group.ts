import { spawn } from 'node:child_process';
import { waitUntil } from '@itsm/shared/testing/wait-until';

/** A process group, whose members all get a signal. */
export interface ProcessGroup {
  output(): string;
  hasEnded(): boolean;
  /** Resolves with the exit code of the first process. */
  readonly ended: Promise<number | null>;
  signal(signal: 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
}

interface Command {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

const groups = new Set<ProcessGroup>();

/** Polls `ask` until its answer is truthy; rejects with the output when the first process ends before. */
export function waitForAnswer<T>(
  what: string,
  group: ProcessGroup,
  ask: () => T | Promise<T>,
): Promise<NonNullable<T>> {
  return waitUntil(what, () => {
    if (group.hasEnded()) throw new Error(`It ended before ${what}:\n${group.output()}`);
    return ask();
  });
}

export function startGroup(file: string, args: readonly string[], { cwd, env = {} }: Command): ProcessGroup {
  const child = spawn(file, args, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const group: ProcessGroup = {
    output: () => output,
    hasEnded,
    ended,
    signal(signal) {
      if (child.pid !== undefined && !hasEnded()) process.kill(-child.pid, signal);
    },
  };
  groups.add(group);
  return group;
}

/** Kills all remaining groups, the last started first. */
export function killGroups(): void {
  for (const group of [...groups].reverse()) group.signal('SIGKILL');
  groups.clear();
}
process.once('exit', killGroups);
