import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { constants as system, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { say, stop } from './prepare.mjs';

/**
 * Starts an engine in a directory of its own, runs the command after `--` with the engine's address in its environment,
 * then stops the engine, removes the directory and exits as the command did. `start(directory, run)` gives the environment;
 * what it starts with `run` is stopped in reverse order. The directory is made in `place`.
 */
export async function runWithEngine(name, start, place = tmpdir()) {
  const [command, ...args] = process.argv.slice(process.argv.indexOf('--') + 1);
  if (!process.argv.includes('--') || !command) stop(`Usage: node scripts/${name}.mjs -- <command> [arguments]`);
  const directory = mkdtempSync(join(place, `itsm-${name}-`));
  const processes = [];
  const run = (file, parameters, environment = {}) => {
    const child = startProcess(file, parameters, environment, directory);
    processes.unshift(child);
    return child;
  };
  const signals = passSignalsOn();
  let code = 1;
  try {
    const environment = await start(directory, run);
    if (!signals.received()) code = await runCommand(command, args, environment, signals);
  } catch (error) {
    say(`${name}: ${error.message}`);
  }
  for (const child of processes) await end(child);
  rmSync(directory, { recursive: true, force: true });
  process.exit(signals.received() ? 128 + system.signals[signals.received()] : code);
}

/** The engine gets a process group of its own, so that Ctrl-C reaches the command alone and the engine is stopped in order. */
function startProcess(file, parameters, environment, directory) {
  const child = spawn(file, parameters, {
    cwd: directory,
    env: { ...process.env, ...environment },
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  child.on('error', (error) => say(`${file}: ${error.message}`));
  return child;
}

function passSignalsOn() {
  let received;
  let child;
  const pass = (signal) => {
    received ??= signal;
    child?.kill(signal);
  };
  process.on('SIGINT', pass);
  process.on('SIGTERM', pass);
  return {
    received: () => received,
    to(target) {
      child = target;
    },
  };
}

function runCommand(command, args, environment, signals) {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
  signals.to(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + system.signals[signal]));
  });
}

const hasEnded = (child) => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

async function end(child) {
  if (hasEnded(child)) return;
  child.kill('SIGTERM');
  const giveUpAt = Date.now() + 15_000;
  while (!hasEnded(child) && Date.now() < giveUpAt) await pause(50);
  // Only now the whole group: what a shell started would outlive the shell.
  if (!hasEnded(child)) process.kill(-child.pid, 'SIGKILL');
}

/** The first of `candidates` that can be executed; bare names are looked up in PATH. Ends the script when there is none. */
export function findProgram(candidates, advice) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const places = candidates.flatMap((name) =>
    name.includes('/') ? [name] : folders.map((folder) => join(folder, name)),
  );
  return places.find(isExecutable) ?? stop(advice);
}

export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Below what Linux hands out by itself (32,768 to 60,999): a port from there is taken by any outgoing connection that is opened
 * between the choice and the listening. Processes begin far from each other.
 */
const lowest = 10_240;
const ports = 22_528;
let next = (process.pid * 7_919) % ports;

/** Ports on the loopback that are free at this moment, all different. */
export async function freePorts(count) {
  const found = [];
  for (let tried = 0; found.length < count; tried += 1) {
    if (tried === ports) throw new Error('no ports of the loopback are free');
    const port = lowest + next;
    next = (next + 1) % ports;
    if (await isFree(port)) found.push(port);
  }
  return found;
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** Waits until the server on `port` answers `greeting` with anything. */
export async function waitUntilReady(child, port, greeting, seconds) {
  const giveUpAt = Date.now() + seconds * 1000;
  while (!(await answers(port, greeting))) {
    if (hasEnded(child)) throw new Error(`ended with ${child.exitCode ?? child.signalCode} before it was ready`);
    if (Date.now() > giveUpAt) throw new Error(`was not ready within ${seconds} seconds`);
    await pause(100);
  }
}

/** Tries until it goes well, for two minutes at most. */
export async function untilDone(work, milliseconds = 120_000) {
  const giveUpAt = Date.now() + milliseconds;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await pause(100);
    }
  }
}

function answers(port, greeting) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const finish = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => finish(false));
    socket.on('error', () => finish(false));
    socket.on('close', () => finish(false));
    socket.on('connect', () => socket.write(greeting));
    socket.on('data', () => finish(true));
  });
}
