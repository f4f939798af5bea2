import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOperator } from '../oauth/testing/operator';
import type { Operator } from '../oauth/testing/operator';
import { serviceAddresses } from '../service-addresses';
import { startCollector } from './collector';
import type { Collector } from './collector';
import type { EngineClocks } from './engine-clocks';
import { killGroups } from './process-group';
import { folderOf, reserveAddress, startReplicas } from './replicas';
import type { Address, Replicas } from './replicas';
import { startReplicaSet } from './replica-set';
import type { ReplicaSet } from './replica-set';
import { startBrokerAndRedis } from './servers';
import type { FaultyRabbitmq, FaultyServer } from './servers';

export const deployables = ['auth', 'graph', 'webhooks', 'webhook-delivery', 'ui-extensions', 'gateway'] as const;
export type Deployable = (typeof deployables)[number];

/** Two replicas of everything, as on a cluster, on engines that can be killed and frozen. */
export interface Platform {
  readonly baseUrl: string;
  readonly services: Readonly<Record<Deployable, Replicas>>;
  readonly rabbitmq: FaultyRabbitmq;
  readonly redis: FaultyServer;
  readonly store: ReplicaSet;
  readonly collector: Collector;
  readonly operator: Operator;
  /**
   * Starts another process of a service with its own settings, outside of the load balancing; resolves with its origin
   * when it is ready.
   */
  startBeside(name: Deployable, settings: Readonly<Record<string, string>>): Promise<string>;
  /** Keys and secrets in the settings. */
  readonly secrets: readonly string[];
  output(): string;
  stop(): Promise<readonly (number | null)[]>;
}

export async function startPlatform(replicas: number, clocks?: EngineClocks): Promise<Platform> {
  const directory = mkdtempSync(join(tmpdir(), 'itsm-operations-'));
  try {
    return await startIn(directory, replicas, clocks);
  } catch (error) {
    killGroups();
    throw error;
  }
}

async function startIn(directory: string, count: number, clocks?: EngineClocks): Promise<Platform> {
  const [{ rabbitmq, redis }, store, collector] = await Promise.all([
    startBrokerAndRedis(directory, clocks),
    startReplicaSet(join(directory, 'store')),
    startCollector(),
  ]);
  const addresses = {} as Record<Deployable, Address>;
  for (const name of deployables) addresses[name] = await reserveAddress(count);
  const secrets = Array.from({ length: 3 }, () => randomBytes(32).toString('base64'));
  const environment = environmentOf({ addresses, rabbitmq, redis, collector, secrets });
  const start = (name: Deployable): [Deployable, Replicas] => [
    name,
    startReplicas(name, folderOf(name), addresses[name], { ...environment, MONGODB_URL: store.urlOf(name) }),
  ];
  const services = Object.fromEntries(deployables.map(start)) as Record<Deployable, Replicas>;
  const all = Object.values(services);
  await Promise.all(all.map((one) => one.ready()));
  const operator = await startOperator(folderOf('auth'), { ...environment, MONGODB_URL: store.urlOf('auth') });
  return {
    baseUrl: services.gateway.origin,
    services,
    rabbitmq,
    redis,
    store,
    collector,
    operator,
    secrets,
    async startBeside(name, settings) {
      const address = await reserveAddress(1);
      const one = startReplicas(name, folderOf(name), address, { ...environment, ...settings });
      all.push(one);
      await one.ready();
      const [own] = address.ports;
      return `http://127.0.0.1:${own?.port}`;
    },
    output: () => [...all.map((one) => one.output()), operator.child.output()].join('\n'),
    async stop() {
      await operator.child.stop();
      const codes = await Promise.all(all.map((one) => one.stop()));
      await collector.close();
      killGroups();
      store.remove();
      rmSync(directory, { recursive: true, force: true });
      return codes.flat();
    },
  };
}

interface Surroundings {
  readonly addresses: Readonly<Record<Deployable, Address>>;
  readonly rabbitmq: FaultyServer;
  readonly redis: FaultyServer;
  readonly collector: Collector;
  readonly secrets: readonly string[];
}

function environmentOf({ addresses, rabbitmq, redis, collector, secrets }: Surroundings): Record<string, string> {
  const origin = (name: Deployable): string => `http://127.0.0.1:${addresses[name].forwarder.port}`;
  const [introspection = '', sealing = '', delivery = ''] = secrets;
  return {
    HOST: '127.0.0.1',
    AMQP_URL: rabbitmq.url,
    REDIS_URL: redis.url,
    ...serviceAddresses(origin('gateway'), origin),
    INTROSPECTION_SECRET: introspection,
    SEALING_KEYS: sealing,
    DELIVERY_KEYS: delivery,
    ALLOW_INSECURE_RECEIVERS: 'true',
    ALLOW_INSECURE_PROVIDERS: 'true',
    TRUSTED_PROXIES: '127.0.0.1',
    OTLP_ENDPOINT: collector.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '200',
    LOG_LEVEL: 'debug',
  };
}
