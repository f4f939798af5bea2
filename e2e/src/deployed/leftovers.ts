import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { createHost, sweepHosts } from './network';

const namespaces = (label: string): string[] => readdirSync('/run/netns').filter((name) => name.endsWith(`-${label}`));

/** Expects that a machine whose predecessor was not removed takes its place. */
export function expectRoom(): void {
  createHost('late', '10.98.0.10');
  const next = createHost('late', '10.98.0.10');
  expect(namespaces('late')).toHaveLength(1);
  next.remove();
  expect(namespaces('late')).toEqual([]);
}

/** Expects that the machine of a run that is gone is removed with its processes, and one of this run is not. */
export async function expectSweep(): Promise<void> {
  const kept = createHost('kept', '10.98.0.11');
  // No process has so high an id.
  const left = 'itsm-4194304-1-left';
  execFileSync('ip', ['netns', 'add', left]);
  const program = spawn('nsenter', [`--net=/run/netns/${left}`, 'sleep', 'infinity'], { stdio: 'ignore' });
  await waitUntil('the program to run there', () =>
    execFileSync('ip', ['netns', 'pids', left], { encoding: 'utf8' }).includes(String(program.pid)),
  );
  const ended = once(program, 'exit');
  sweepHosts();
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect([namespaces('left'), namespaces('kept')]).toEqual([[], [expect.any(String)]]);
  kept.remove();
}
