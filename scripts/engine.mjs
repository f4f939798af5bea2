import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { constants as system, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { say, stop } from './prepare.mjs';

/**
 * Starts an engine in a new directory below `place`, runs the command after `--` with the engine's address in its
 * environment, then stops the engine, deletes the directory and exits like the command. `start(directory, run)` returns
 * the environment; processes that it starts with `run` are stopped in reverse order.
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

/**
 * The engine is in a separate process group, so that Ctrl-C reaches only the command, and the engine is stopped in
 * order.
 */
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
  // Now the whole group, since children of a shell would outlive it.
  if (!hasEnded(child)) process.kill(-child.pid, 'SIGKILL');
}

/** The first executable of `candidates`; bare names are looked up in PATH. Exits the script when there is none. */
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
 * Below Linux's ephemeral ports (32,768 to 60,999): an outgoing connection could take one of those between the choice
 * and the listening. Processes start at different offsets.
 */
const lowest = 10_240;
const ports = 22_528;
let next = (process.pid * 7_919) % ports;

/** Distinct loopback ports that are currently free. */
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

/** Long enough for a machine that does much else. A server that ends is noticed at once. */
const patienceMilliseconds = 300_000;

/** Waits until the server on `port` answers `greeting`, for at most five minutes. */
export async function waitUntilReady(child, port, greeting) {
  const giveUpAt = Date.now() + patienceMilliseconds;
  while (!(await answers(port, greeting))) {
    if (hasEnded(child)) throw new Error(`ended with ${child.exitCode ?? child.signalCode} before it was ready`);
    if (Date.now() > giveUpAt) throw new Error(`was not ready within ${patienceMilliseconds / 60_000} minutes`);
    await pause(100);
  }
}

/** Retries until success, for at most five minutes. */
export async function untilDone(work, milliseconds = patienceMilliseconds) {
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
