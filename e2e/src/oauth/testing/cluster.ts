import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo as startDatabases } from '@itsm/shared/testing/real-store';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { freePort } from '../../free-port';
import { killGroups } from '../../operations/process-group';
import { startBrokerAndRedis } from '../../operations/servers';
import { startChild } from './child';
import type { Child } from './child';
import { startOperator } from './operator';
import type { Operator } from './operator';

const root = join(__dirname, '../../../..');
const others = ['graph', 'webhooks', 'webhook-delivery', 'ui-extensions'] as const;

export interface Cluster {
  /** The origin of each replica. */
  readonly auth: readonly string[];
  readonly gateways: readonly string[];
  readonly operator: Operator;
  readonly introspectionSecret: string;
  /** All data of the store as text. */
  textOfStore(): Promise<string>;
  /** Signals the process of the gateway at this index of `gateways`. */
  signalGateway(index: number, signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** The output of all processes so far. */
  output(): string;
  stop(): Promise<void>;
}

/**
 * Replicas of auth and of the gateway as separate processes, on the MongoDB at MONGODB_URL, with a RabbitMQ and a
 * Redis.
 */
export async function startCluster(options: { auth: number; gateways: number }): Promise<Cluster> {
  const children: Child[] = [];
  const started = (child: Child): Child => {
    children.push(child);
    return child;
  };
  const directory = mkdtempSync(join(tmpdir(), 'itsm-races-'));
  const databases = await startDatabases();
  const stop = async (): Promise<void> => {
    for (const child of children.reverse()) await child.stop();
    await databases.close();
    killGroups();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const { rabbitmq, redis } = await startBrokerAndRedis(directory);
    const ports = await freePorts(options.auth + options.gateways + others.length);
    const addresses = ports.map((port) => `http://127.0.0.1:${port}`);
    const auth = addresses.slice(0, options.auth);
    const gateways = addresses.slice(options.auth, options.auth + options.gateways);
    const rest = addresses.slice(options.auth + options.gateways);
    const introspectionSecret = randomKey();
    const settings = environment({
      amqpUrl: rabbitmq.url,
      redisUrl: redis.url,
      auth,
      gateways,
      rest,
      introspectionSecret,
    });
    const start = (name: string, address: string): Child => {
      const cwd = join(root, name === 'gateway' ? name : `services/${name}`);
      const own = { PORT: new URL(address).port, MONGODB_URL: databases.urlOf(name) };
      return started(startChild('dist/main.js', [], { cwd, env: { ...settings, ...own } }));
    };
    const replicas = [
      ...auth.map((address) => start('auth', address)),
      ...others.map((name, index) => start(name, rest[index] ?? '')),
      ...gateways.map((address) => start('gateway', address)),
    ];
    await Promise.all(replicas.map((replica) => replica.says(/listening/)));
    const authFolder = join(root, 'services/auth');
    const operator = await startOperator(authFolder, { ...settings, MONGODB_URL: databases.urlOf('auth') });
    started(operator.child);
    await Promise.all(gateways.map(composed));
    const signalGateway: Cluster['signalGateway'] = (index, signal) =>
      void replicas.at(index - gateways.length)?.process.kill(signal);
    const output = () => children.map((child) => child.output()).join('\n');
    const textOfStore = () => databases.text();
    return { auth, gateways, operator, introspectionSecret, textOfStore, signalGateway, output, stop };
  } catch (error) {
    const output = children.map((child) => child.output()).join('\n');
    await stop();
    throw new Error(`The cluster did not start:\n${output}`, { cause: error });
  }
}

const randomKey = (): string => randomBytes(32).toString('base64');

interface Addresses {
  readonly amqpUrl: string;
  readonly redisUrl: string;
  readonly auth: readonly string[];
  readonly gateways: readonly string[];
  readonly rest: readonly string[];
  readonly introspectionSecret: string;
}

function environment({ amqpUrl, redisUrl, auth, gateways, rest, introspectionSecret }: Addresses) {
  const [baseUrl = ''] = gateways;
  return {
    HOST: '127.0.0.1',
    AMQP_URL: amqpUrl,
    REDIS_URL: redisUrl,
    BASE_URL: baseUrl,
    ACCOUNT_URL: `${baseUrl}/accounts/{account}`,
    AUTH_JWKS_URL: `${auth[0]}/oauth/jwks`,
    AUTH_URL: auth[0] ?? '',
    GRAPH_URL: rest[0] ?? '',
    WEBHOOKS_URL: rest[1] ?? '',
    WEBHOOK_DELIVERY_URL: rest[2] ?? '',
    UI_EXTENSIONS_URL: rest[3] ?? '',
    INTROSPECTION_SECRET: introspectionSecret,
    SEALING_KEYS: randomKey(),
    DELIVERY_KEYS: randomKey(),
    ALLOW_INSECURE_RECEIVERS: 'true',
  };
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/** A ready gateway answers 401, one that still composes answers 503. */
async function composed(gateway: string): Promise<void> {
  const answer = () => fetch(`${gateway}/graphql`, { method: 'POST' });
  await waitUntil(`${gateway} to have composed its schema`, async () => (await answer()).status === 401);
}
