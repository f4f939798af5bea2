import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { MongoClient } from 'mongodb';
import { composeEnvironmentOf, composeServiceOf, layOutCompose } from '../../../deploy/compose-file';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { startGroup } from '../operations/process-group';
import { deployables } from '../service-processes';
import { imageCommand, mostRestarts, startContainer } from './container';
import type { Container, ContainerSpec, Ended, Mount } from './container';
import { listens, startEngine, startRabbitmq } from './engines';
import { serveNames } from './names';
import { addresses, createHost } from './network';
import type { Host } from './network';

export interface Compose {
  readonly containers: ReadonlyMap<string, Container>;
  /** `docker compose run --rm <service> <args>`, with `env` added to the environment of the file. */
  run(service: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended>;
  /** Forwards a port on webhook-delivery's loopback to the socket `path`, as for a container in its network. */
  joinDelivery(path: string, port: number): Promise<void>;
  stop(): Promise<(number | null)[]>;
}

const root = join(__dirname, '../../..');
/** The address of Docker's bridge, which is the source address of connections through published ports. */
const bridge = addresses.docker;
const engines = ['mongodb', 'rabbitmq', 'redis'] as const;

/**
 * Starts docker-compose.yml with these lines as settings.env: engines with its commands, services with its
 * environments, ports on loopback.
 */
export async function startCompose(base: string, settings: readonly string[]): Promise<Compose> {
  const directory = join(base, 'compose');
  mkdirSync(directory, { recursive: true });
  const names = [...engines, ...deployables];
  const hosts = new Map<string, Host>(
    names.map((name, index) => [name, createHost(`compose-${name}`, `172.18.0.${10 + index}`)]),
  );
  const hostOf = (name: string): Host => hosts.get(name) as Host;
  await serveNames({
    ...Object.fromEntries(names.map((name) => [name, hostOf(name).address])),
    mailpit: addresses.mail,
  });
  await startEngines(hostOf, directory);
  const volumes = join(directory, 'volumes');
  const attachments = join(volumes, 'attachments');
  mkdirSync(attachments, { recursive: true });
  execFileSync(process.execPath, [join(root, 'deploy/local-keys.mjs'), join(volumes, 'keys'), attachments]);
  const folder = layOutCompose(join(directory, 'project'), settings);
  const spec = (name: string): ContainerSpec => ({
    ...containerOf(name, hostOf(name), join(directory, name), volumes),
    env: composeEnvironmentOf(name, folder),
  });
  const containers = new Map(deployables.map((name) => [name as string, startContainer(spec(name))]));
  const relays = await publish(hostOf);
  const compose: Compose = {
    containers,
    async run(service, args, env) {
      const usual = spec(service);
      const once = { ...usual, args, directory: join(directory, 'once'), env: { ...usual.env, ...env } };
      const container = startContainer(once);
      return { code: await container.ended, output: container.output() };
    },
    async joinDelivery(path, port) {
      const script = `require('net').createServer((near) => { const far = require('net').connect(process.argv[1]); near.pipe(far).pipe(near);
        for (const end of [near, far]) end.on('error', () => { near.destroy(); far.destroy(); }); }).listen(${port}, '127.0.0.1', () => console.log('listening'));`;
      const { prefix } = hostOf('webhook-delivery');
      const [program = '', ...args] = [...prefix, process.execPath, '-e', script, path];
      const group = startGroup(program, args, { cwd: directory });
      await waitUntil('the receiver in the network of webhook-delivery', () => group.output().includes('listening'));
    },
    async stop() {
      const codes = await Promise.all([...containers.values()].map((container) => container.stop()));
      for (const relay of relays) relay.close();
      // A program may still create a file while it ends.
      rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
      return codes;
    },
  };
  try {
    await Promise.all([...containers].map(([name, container]) => becomeHealthy(name, container)));
    return compose;
  } catch (error) {
    await compose.stop();
    throw error;
  }
}

async function startEngines(hostOf: (name: string) => Host, directory: string): Promise<void> {
  const hostsFile = join(directory, 'hosts');
  const names = engines.map((name) => `${hostOf(name).address} ${name}`);
  execFileSync('sh', ['-c', 'printf "%s\\n" "$@" > "$0"', hostsFile, '127.0.0.1 localhost', ...names]);
  const run = (name: string, command: readonly string[], env: Record<string, string> = {}) =>
    startEngine(hostOf(name), hostsFile, command, join(directory, `engine-${name}`), env);
  const mongo = join(directory, 'engine-mongodb');
  mkdirSync(mongo, { recursive: true });
  const [, ...mongodArgs] = composeServiceOf('mongodb').command ?? [];
  run('mongodb', [
    process.env['MONGOD'] ?? 'mongod',
    ...mongodArgs,
    '--dbpath',
    mongo,
    '--logpath',
    `${mongo}/mongod.log`,
    '--nounixsocket',
    '--wiredTigerCacheSizeGB',
    '0.25',
  ]);
  // Like the image of Redis, which only its own network can reach.
  run('redis', [...(composeServiceOf('redis').command ?? []), '--protected-mode', 'no']);
  const { RABBITMQ_DEFAULT_USER: name = '', RABBITMQ_DEFAULT_PASS: password = '' } =
    composeServiceOf('rabbitmq').environment ?? {};
  startRabbitmq(run, join(directory, 'engine-rabbitmq'), [], {
    users: [{ name, password }],
    virtualHosts: ['/'],
    permissions: ['.*', '.*', '.*'],
  });
  await Promise.all([
    listens(hostOf('mongodb').address, 27017),
    listens(hostOf('redis').address, 6379),
    listens(hostOf('rabbitmq').address, 5672),
  ]);
  await makeReplicaSet(hostOf('mongodb').address);
}

/** Does what the file's health check does in MongoDB's shell. */
async function makeReplicaSet(address: string): Promise<void> {
  const script = composeServiceOf('mongodb').healthcheck?.test.at(-1) ?? '';
  const [, configuration = ''] = /rs\.initiate\((\{.*?\})\)/.exec(script) ?? [];
  const client = await MongoClient.connect(`mongodb://${address}:27017/?directConnection=true`);
  const admin = client.db('admin');
  await admin.command({ replSetInitiate: runInNewContext(`(${configuration})`) as object });
  await waitUntil('a primary', async () => (await admin.command({ hello: 1 }))['isWritablePrimary'] === true);
  await client.close();
}

function containerOf(name: string, host: Host, directory: string, volumes: string): Omit<ContainerSpec, 'env'> {
  const service = composeServiceOf(name);
  const mounts: Mount[] = (service.volumes ?? []).map((volume) => {
    const [source = '', path = '', mode] = volume.split(':');
    return { path, from: join(volumes, source), isWritable: mode !== 'ro' };
  });
  return {
    host,
    directory,
    service: name,
    user: 65532,
    group: 65532,
    args: service.command ?? imageCommand,
    mounts: [...mounts, ...(service.tmpfs ?? []).map((path) => ({ path, memory: '64m' }))],
    resolver: `nameserver ${addresses.names}\noptions ndots:0\n`,
  };
}

/** Publishes the ports of the file like Docker: connections to this machine's loopback go to the container. */
async function publish(hostOf: (name: string) => Host): Promise<Server[]> {
  const all = deployables.flatMap((name) => (composeServiceOf(name).ports ?? []).map((mapping) => ({ name, mapping })));
  return Promise.all(
    all.map(({ name, mapping }) => {
      const [address = '', outer, inner] = mapping.split(':');
      const relay = createServer((near) => {
        const far = connect({ host: hostOf(name).address, port: Number(inner), localAddress: bridge });
        near.pipe(far).pipe(near);
        for (const end of [near, far])
          end.on('error', () => {
            near.destroy();
            far.destroy();
          });
      });
      return new Promise<Server>((resolve) => relay.listen(Number(outer), address, () => resolve(relay)));
    }),
  );
}

/**
 * Waits until the service is ready at its published ops port, and healthy by the file's check, which runs in the
 * container.
 */
async function becomeHealthy(name: string, container: Container): Promise<void> {
  const published = composeServiceOf(name).ports?.find((mapping) => mapping.endsWith(':9090')) ?? '';
  let restarts = 0;
  const isReady = () =>
    // A connection that closes before the service listens may leave the call without an outcome, so it has a time
    // limit.
    fetch(`http://${published.replace(/:9090$/, '')}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  const becoming = () => `${name} to become ready:\n${container.output()}`;
  await waitUntil(becoming, async () => {
    if (await isReady()) return true;
    if (container.hasEnded() && restarts === mostRestarts) throw new Error(`Waited in vain for ${becoming()}`);
    await pause(100);
    if (!container.hasEnded()) return false;
    restarts += 1;
    container.restart();
    return false;
  });
  const [, ...test] = composeServiceOf(name).healthcheck?.test ?? [];
  const { code, output } = await container.exec(test);
  if (code !== 0) throw new Error(`${name} is not healthy by its own check: ${output}`);
}
