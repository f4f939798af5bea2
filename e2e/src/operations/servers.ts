import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { freePort } from '../free-port';
import type { EngineClocks } from './engine-clocks';
import { startGroup } from './process-group';
import type { ProcessGroup } from './process-group';

const root = join(__dirname, '../../..');
const runFile = promisify(execFile);
type Environment = Readonly<Record<string, string>>;

/** A server that keeps its address, and its files if any, through all faults. */
export interface FaultyServer {
  readonly url: string;
  readonly port: number;
  /** Kills it (SIGKILL). */
  readonly kill: () => void;
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Resolves when it answers. */
  readonly start: () => Promise<void>;
}

export interface FaultyRabbitmq extends FaultyServer {
  readonly nodeName: string;
  /** Runs `rabbitmqctl` on this node; returns its output. The forwarders of this process continue meanwhile. */
  control(...args: readonly string[]): Promise<string>;
}

interface Server {
  readonly port: number;
  readonly address?: string;
  readonly url: string;
  readonly greeting: string;
  readonly run: () => ProcessGroup;
}

export async function startServer({ port, address, url, greeting, run }: Server) {
  let group: ProcessGroup;
  const server = {
    url,
    port,
    kill: () => group.signal('SIGKILL'),
    freeze: () => group.signal('SIGSTOP'),
    thaw: () => group.signal('SIGCONT'),
    async start() {
      group = run();
      await waitUntil(`an answer on port ${port}`, () => {
        if (group.hasEnded()) throw new Error(`A server ended:\n${group.output()}`);
        return answers(port, greeting, address);
      });
    },
  } satisfies FaultyServer;
  await server.start();
  return server;
}

/** Whether the server on `port` answers `greeting`; an empty greeting only tests the connection. */
export const answers = (port: number, greeting: string, address = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, address);
    const finish = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => finish(false));
    socket.on('error', () => finish(false));
    socket.on('close', () => finish(false));
    socket.on('connect', () => (greeting === '' ? finish(true) : socket.write(greeting, 'latin1')));
    socket.on('data', () => finish(true));
  });

export const amqpGreeting = 'AMQP\0\0\x09\x01';

/** The port mapper (epmd) by which RabbitMQ nodes on this machine find each other; it outlives them. */
export async function startPortMapper(home: string): Promise<number> {
  mkdirSync(home, { recursive: true });
  const port = await freePort();
  startGroup('epmd', [], { cwd: home, env: { HOME: home, ERL_EPMD_ADDRESS: '127.0.0.1', ERL_EPMD_PORT: `${port}` } });
  await waitUntil('the port mapper', () => answers(port, ''));
  return port;
}

export async function startRabbitmq(
  home: string,
  mapperPort: number,
  {
    name = 'rabbit',
    first,
    env = {},
  }: { readonly name?: string; readonly first?: string; readonly env?: Environment | undefined } = {},
): Promise<FaultyRabbitmq> {
  const port = await freePort();
  const nodePort = await freePort();
  const script = join(root, 'scripts/rabbitmq-node.mjs');
  const args = [script, home, `${port}`, `${nodePort}`, `${mapperPort}`, name, ...(first === undefined ? [] : [first])];
  const run = () => startGroup(process.execPath, args, { cwd: home, env });
  const server = await startServer({ port, url: `amqp://guest:guest@127.0.0.1:${port}`, greeting: amqpGreeting, run });
  const nodeName = `${name}@localhost`;
  return {
    ...server,
    nodeName,
    async control(...more) {
      const env = { PATH: process.env['PATH'], HOME: home, ERL_EPMD_PORT: `${mapperPort}`, LANG: 'C.UTF-8' };
      const control = '/usr/lib/rabbitmq/bin/rabbitmqctl';
      const { stdout } = await runFile(control, ['--silent', '-n', nodeName, ...more], { env });
      return stdout;
    },
  };
}

/**
 * A RabbitMQ and a Redis for one journey, with their files in `directory`. Journeys run concurrently, and platforms on
 * one broker would take each other's messages. `killGroups` ends both.
 */
export async function startBrokerAndRedis(
  directory: string,
  clocks?: EngineClocks,
): Promise<{ readonly rabbitmq: FaultyRabbitmq; readonly redis: FaultyServer }> {
  const home = join(directory, 'rabbitmq');
  const [rabbitmq, redis] = await Promise.all([
    startPortMapper(home).then((mapper) => startRabbitmq(home, mapper, { env: clocks?.environmentOf('rabbitmq') })),
    startRedis(directory, clocks?.environmentOf('redis')),
  ]);
  return { rabbitmq, redis };
}

/** Without persistence: after a kill it is empty. */
export async function startRedis(cwd: string, env: Environment = {}): Promise<FaultyServer> {
  const port = await freePort();
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const run = () => startGroup('redis-server', args, { cwd, env });
  return startServer({ port, url: `redis://127.0.0.1:${port}`, greeting: 'PING\r\n', run });
}
