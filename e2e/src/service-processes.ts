import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { freePort } from './free-port';
import { serviceAddresses } from './service-addresses';

export const deployables = [
  'auth',
  'graph',
  'webhooks',
  'webhook-delivery',
  'ui-extensions',
  'gateway',
  'console',
] as const;
type Deployable = (typeof deployables)[number];

const folderOf = (name: Deployable): string =>
  join(__dirname, '../..', name === 'gateway' || name === 'console' ? name : join('services', name));

export interface ServiceProcesses {
  readonly baseUrl: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The output of the processes so far. */
  output(): string;
  /** Sends SIGTERM to all; resolves with their exit codes. */
  stop(): Promise<(number | null)[]>;
}

/** Starts each deployable as a separate process, configured only by its environment, as on a cluster. */
export async function startServiceProcesses(stores: {
  mongoUrl: (database: string) => string;
  amqpUrl: string;
  redisUrl: string;
  /** Added to the settings that every process needs. */
  settings?: Readonly<Record<string, string>>;
  /** Added to those of one process; the last word. */
  settingsOf?: (name: Deployable) => Readonly<Record<string, string>>;
}): Promise<ServiceProcesses> {
  const ports = new Map<Deployable, number>();
  for (const name of deployables) ports.set(name, await freePort());
  const origin = (name: Deployable): string => `http://127.0.0.1:${ports.get(name)}`;
  const baseUrl = `http://localhost:${ports.get('gateway')}`;
  const random = (): string => randomBytes(32).toString('base64');
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOST: '127.0.0.1',
    AMQP_URL: stores.amqpUrl,
    REDIS_URL: stores.redisUrl,
    ...serviceAddresses(baseUrl, origin),
    CONSOLE_URL: origin('console'),
    GATEWAY_URL: origin('gateway'),
    INTROSPECTION_SECRET: random(),
    CONSOLE_CLIENT_SECRET: random(),
    COOKIE_KEYS: random(),
    SEALING_KEYS: random(),
    DELIVERY_KEYS: random(),
    ALLOW_INSECURE_RECEIVERS: 'true',
    ...stores.settings,
  };
  let output = '';
  const start = (name: Deployable): ChildProcess => {
    const child = spawn(process.execPath, ['--enable-source-maps', 'dist/main.js'], {
      cwd: folderOf(name),
      env: {
        ...environment,
        PORT: String(ports.get(name)),
        MONGODB_URL: stores.mongoUrl(name),
        ...stores.settingsOf?.(name),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return child;
  };
  const children = deployables.map(start);
  const stop = () =>
    Promise.all(
      children.map((child) => {
        if (child.exitCode !== null) return Promise.resolve(child.exitCode);
        child.kill('SIGTERM');
        return new Promise<number | null>((resolve) => child.once('exit', resolve));
      }),
    );
  try {
    await waitUntil('the gateway to have composed its schema', () => answersGraphql(baseUrl, children));
  } catch (error) {
    await stop();
    throw new Error(`The services did not start:\n${output}`, { cause: error });
  }
  return { baseUrl, environment, output: () => output, stop };
}

/** A ready gateway answers 401, one that still composes answers 503. */
async function answersGraphql(baseUrl: string, children: readonly ChildProcess[]): Promise<boolean> {
  const ended = children.find(({ exitCode }) => exitCode !== null);
  if (ended) throw new Error(`${ended.spawnargs.join(' ')} ended with ${ended.exitCode}`);
  return fetch(`${baseUrl}/graphql`, { method: 'POST' }).then(
    ({ status }) => status === 401,
    () => false,
  );
}

export interface EndedRun {
  readonly status: number | null;
  readonly stderr: string;
}

/** Runs an entry point of `name` with `env` until it exits. */
export function runToEnd(
  name: Deployable,
  script: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<EndedRun> {
  const child = spawn(process.execPath, [`dist/${script}.js`, ...args], {
    cwd: folderOf(name),
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => child.once('exit', (status) => resolve({ status, stderr })));
}
