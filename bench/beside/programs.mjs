// Starts and stops the compared programs, each set in its own directory.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, freePorts, isExecutable, waitUntilReady } from '../../scripts/engine.mjs';
import { startRabbitmq } from '../delivery/commit-platform.mjs';

const httpGreeting = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
const amqpGreeting = Buffer.from('AMQP\0\0\x09\x01', 'latin1');
const postgresGreeting = Buffer.from('0000000804d2162f', 'hex');

/**
 * A set of programs that run until `stop` or the end of this process. `keep` starts a program, and reports its output
 * if it ends by itself.
 */
export function createPrograms(name) {
  const directory = mkdtempSync(join(tmpdir(), `itsm-beside-${name}-`));
  // PostgreSQL runs as a separate user and needs access to its subdirectory.
  chmodSync(directory, 0o711);
  const children = new Map();
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    for (const { child, signal } of [...children.values()].reverse())
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, signal);
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', stop);
  return {
    directory,
    stop,
    file(path, text) {
      writeFileSync(join(directory, path), text);
      return join(directory, path);
    },
    pid: (path) => children.get(path).child.pid,
    keep(path, command, args, options = {}, signal = 'SIGKILL') {
      const file = join(directory, `${path}.log`);
      const log = openSync(file, 'w');
      const child = spawn(command, args, {
        cwd: directory,
        ...options,
        detached: true,
        stdio: ['ignore', log, log],
      });
      child.once('exit', (code, by) => {
        if (!stopping) process.stderr.write(`${path}: ${code ?? by}\n${readFileSync(file, 'utf8').slice(-2_000)}\n`);
      });
      children.set(path, { child, signal });
      return child;
    },
  };
}

/** The path in an environment variable; undefined, with a message, when it is not set. */
export function peerOf(variable) {
  const file = process.env[variable];
  if (file && isExecutable(file)) return file;
  process.stdout.write(`${variable} names no program: left out\n`);
  return undefined;
}

export const untilHttp = (child, port) => waitUntilReady(child, port, httpGreeting);

/** Without persistence. */
export async function startRedis(programs) {
  const server = findProgram(['redis-server'], 'Redis is not installed; on Debian: apt-get install redis-server');
  const [port] = await freePorts(1);
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = programs.keep('redis', server, args);
  await waitUntilReady(child, port, 'PING\r\n');
  return { pid: child.pid, port, url: `redis://127.0.0.1:${port}` };
}

export async function startBroker(programs) {
  const [amqp, node, mapper] = await freePorts(3);
  const children = {};
  const keep = (name, ...about) => (children[name] = programs.keep(name, ...about));
  startRabbitmq({ keep }, programs.directory, { amqp, node, mapper });
  await waitUntilReady(children.rabbitmq, amqp, amqpGreeting);
  return { pid: children.rabbitmq.pid, url: `amqp://guest:guest@127.0.0.1:${amqp}` };
}

/** Default settings: each commit is on disk. PostgreSQL refuses to run as root. */
export async function startPostgres(programs) {
  const folder = process.env.POSTGRES_BIN ?? '/usr/lib/postgresql/15/bin';
  const data = join(programs.directory, 'postgres');
  const [port] = await freePorts(1);
  mkdirSync(data, { mode: 0o700 });
  const options = { cwd: data };
  if (process.getuid() === 0) {
    for (const [which, flag] of Object.entries({ uid: '-u', gid: '-g' }))
      options[which] = Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
    chownSync(data, options.uid, options.gid);
  }
  const cluster = ['-D', data, '-A', 'trust', '-U', 'bench', '--no-sync'];
  execFileSync(join(folder, 'initdb'), cluster, { ...options, stdio: 'ignore' });
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: data };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // A killed PostgreSQL would leak its shared memory.
  const child = programs.keep('postgres', join(folder, 'postgres'), ['-D', data, ...args], options, 'SIGQUIT');
  await waitUntilReady(child, port, postgresGreeting);
  return { pid: child.pid, url: `postgres://bench@127.0.0.1:${port}/postgres?sslmode=disable` };
}

export const show = (text) => process.stdout.write(`${text}\n`);

/** The value of `--name=`, as a number when the default is a number. */
export function option(options, name, usual) {
  const given = options.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);
  return given === undefined || typeof usual !== 'number' ? (given ?? usual) : Number(given);
}
