import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuOf, cpuOfAll } from '../stores.mjs';

const restartMilliseconds = 300;

/**
 * Keeps processes running: one that ends, for example because its RabbitMQ does not answer yet, is restarted after a
 * moment.
 */
export function createSupervisor(directory) {
  const kept = new Map();
  let stopping = false;

  function launch(one) {
    const { name, command, args, options } = one;
    const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.pipe(one.log, { end: false });
    child.stderr.pipe(one.log, { end: false });
    child.on('error', (error) => process.stderr.write(`${name}: ${error.message}\n`));
    child.on('exit', () => {
      if (!stopping) setTimeout(() => (one.child = stopping ? one.child : launch(one)), restartMilliseconds);
    });
    return child;
  }

  function killAll() {
    stopping = true;
    for (const { child } of [...kept.values()].reverse()) killGroup(child);
  }

  // They are separate process groups, which would outlive this process.
  process.once('exit', killAll);

  return {
    keep(name, command, args, options) {
      mkdirSync(directory, { recursive: true });
      const one = { name, command, args, options, log: createWriteStream(join(directory, `${name}.log`)) };
      one.child = launch(one);
      kept.set(name, one);
    },
    pid: (name) => kept.get(name).child.pid,
    cpu: (name) => cpuOf(kept.get(name).child.pid),
    cpuOfAll: (name) => cpuOfAll(kept.get(name).child.pid),
    async stop() {
      killAll();
      await pause(restartMilliseconds * 2);
    },
  };
}

function killGroup({ pid, exitCode, signalCode }) {
  if (exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
}
