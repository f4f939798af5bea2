import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { killGroups, startGroup } from '../operations/process-group';
import { issueCertificate } from './certificates';
import type { Certificate } from './certificates';
import { createHost } from './network';
import type { Host, SeedList } from './network';

/** The engines of a region: three nodes of MongoDB, RabbitMQ and Redis, each on a separate machine, all with TLS. */
export interface Engines {
  readonly hosts: Readonly<Record<EngineName, Host>>;
  /** For the settings of a service, with its own user and database. */
  mongodbUrl(service: string): string;
  /** The same by `mongodb+srv`, with the authority's path in a pod. */
  mongodbSrvUrl(service: string): string;
  readonly seedList: SeedList;
  /** Each namespace has its own virtual host, in which the user has the permissions of docs/operations.md. */
  amqpUrl(virtualHost: string): string;
  redisUrl(database: number): string;
  /** Removes the data of a deployment; its indexes stay. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

const names = ['mongodb-0', 'mongodb-1', 'mongodb-2', 'rabbitmq', 'redis'] as const;
export type EngineName = (typeof names)[number];
const domain = 'engines.example';
export const engineNames: readonly EngineName[] = names;
export const nameOf = (engine: EngineName | 'mail'): string => `${engine}.${domain}`;

/** The SRV name for all nodes of MongoDB; it has no address. */
const setName = `mongodb.${domain}`;
/** The path at which k8s/components/private-authorities mounts it. */
const authorityInPods = '/etc/itsm/authorities/ca.crt';

/** Contains characters that must be escaped in a URL. */
const password = 'p@ss/word:1';
const credentials = (user: string): string => `${user}:${encodeURIComponent(password)}`;

export interface EngineOptions {
  readonly directory: string;
  readonly services: readonly string[];
  readonly virtualHosts: readonly string[];
  /** The user's permissions to configure, write and read in a virtual host. */
  readonly permissions: readonly string[];
}

export async function startEngines({
  directory,
  services,
  virtualHosts,
  permissions,
}: EngineOptions): Promise<Engines> {
  const hosts = Object.fromEntries(
    names.map((name, index) => [name, createHost(name, `10.9.0.${10 + index}`)]),
  ) as Record<EngineName, Host>;
  const hostsFile = join(directory, 'engine-hosts');
  writeFileSync(
    hostsFile,
    ['127.0.0.1 localhost', ...names.map((name) => `${hosts[name].address} ${nameOf(name)}`)].join('\n'),
  );
  const certificate = issueCertificate(directory, [`*.${domain}`, 'localhost']);
  const run = (name: EngineName, command: readonly string[], env: Record<string, string> = {}) =>
    startEngine(hosts[name], hostsFile, command, join(directory, name), env);

  const nodes = ['mongodb-0', 'mongodb-1', 'mongodb-2'] as const;
  const keyFile = join(directory, 'mongodb-key');
  writeFileSync(keyFile, randomBytes(96).toString('base64'), { mode: 0o600 });
  for (const name of nodes)
    run(name, mongod(join(directory, name), ['--keyFile', keyFile, ...mongodTls(directory, certificate)]));
  startRabbitmq(run, join(directory, 'rabbitmq'), rabbitmqTls(directory, certificate), {
    users: [{ name: 'itsm', password }],
    virtualHosts,
    permissions,
  });
  run('redis', redis(directory, certificate));

  await Promise.all(names.map((name) => listens(hosts[name].address, portOf(name))));
  const databases = services.filter((service) => service !== 'gateway');
  const administrator = await initiate(hosts['mongodb-0'], nodes.map(nameOf), databases);
  return {
    hosts,
    mongodbUrl: (service) =>
      `mongodb://${credentials(service)}@${nodes.map((node) => `${nameOf(node)}:27017`).join(',')}/${service}?replicaSet=rs0&tls=true`,
    mongodbSrvUrl: (service) =>
      `mongodb+srv://${credentials(service)}@${setName}/${service}?tlsCAFile=${encodeURIComponent(authorityInPods)}`,
    seedList: { name: setName, machines: nodes.map(nameOf), options: 'replicaSet=rs0' },
    amqpUrl: (virtualHost) => `amqps://${credentials('itsm')}@${nameOf('rabbitmq')}:5671/${virtualHost}`,
    redisUrl: (database) => `rediss://${credentials('itsm')}@${nameOf('redis')}:6380/${database}`,
    empty: () => administrator.empty(),
    async close() {
      await administrator.close();
      killGroups();
    },
  };
}

const portOf = (name: EngineName): number => (name === 'rabbitmq' ? 5672 : name === 'redis' ? 6379 : 27017);

type Run = (name: EngineName, command: readonly string[], env?: Record<string, string>) => void;

/** Runs a program on one of the machines, which resolve each other by name. */
export function startEngine(
  host: Host,
  hostsFile: string,
  command: readonly string[],
  directory: string,
  env: Record<string, string>,
): void {
  mkdirSync(directory, { recursive: true });
  const withNames = [
    'unshare',
    '--mount',
    'sh',
    '-ec',
    'mount --bind "$0" /etc/hosts && exec "$@"',
    hostsFile,
    ...command,
  ];
  const [program = '', ...args] = [...host.prefix, ...withNames];
  const group = startGroup(program, args, { cwd: directory, env });
  void group.ended.then((code) => {
    if (code !== null) process.stderr.write(`${host.name} ended with ${code}:\n${group.output()}\n`);
  });
}

export const mongod = (directory: string, further: readonly string[] = []): string[] => [
  process.env['MONGOD'] ?? 'mongod',
  '--replSet',
  'rs0',
  '--bind_ip_all',
  '--port',
  '27017',
  '--dbpath',
  directory,
  '--logpath',
  `${directory}/mongod.log`,
  '--wiredTigerCacheSizeGB',
  '0.25',
  '--oplogSize',
  '128',
  '--nounixsocket',
  '--quiet',
  ...further,
];

const mongodTls = (directory: string, { bothFile }: Certificate): string[] => [
  '--tlsMode',
  'allowTLS',
  '--tlsCertificateKeyFile',
  bothFile,
  '--tlsCAFile',
  join(directory, 'authority.pem'),
  '--tlsAllowConnectionsWithoutCertificates',
];

const rabbitmqTls = (directory: string, { certificateFile, keyFile }: Certificate): string[] => [
  'listeners.ssl.default = 5671',
  `ssl_options.cacertfile = ${join(directory, 'authority.pem')}`,
  `ssl_options.certfile = ${certificateFile}`,
  `ssl_options.keyfile = ${keyFile}`,
];

function redis(directory: string, { certificateFile, keyFile }: Certificate): string[] {
  const digest = createHash('sha256').update(password).digest('hex');
  const settings = {
    port: 6379,
    bind: '0.0.0.0',
    save: '',
    appendonly: 'no',
    'protected-mode': 'no',
    'tls-port': 6380,
    'tls-cert-file': certificateFile,
    'tls-key-file': keyFile,
    'tls-auth-clients': 'no',
    'tls-ca-cert-file': join(directory, 'authority.pem'),
    user: `itsm on #${digest} ~* &* +@all`,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value === '' ? '""' : value}`);
  const file = join(directory, 'redis.conf');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return ['redis-server', file];
}

export interface RabbitmqDefinitions {
  readonly users: readonly { readonly name: string; readonly password: string }[];
  readonly virtualHosts: readonly string[];
  readonly permissions: readonly string[];
}

/** One node, which has its users and virtual hosts from the start. */
export function startRabbitmq(
  run: Run,
  directory: string,
  further: readonly string[],
  definitions: RabbitmqDefinitions,
): void {
  mkdirSync(directory, { recursive: true });
  const file = (name: string) => join(directory, name);
  const { users, virtualHosts, permissions } = definitions;
  const [configure, write, read] = permissions;
  const document = {
    users: users.map((user) => ({ ...user, tags: [] })),
    vhosts: virtualHosts.map((name) => ({ name })),
    permissions: virtualHosts.flatMap((vhost) =>
      users.map(({ name }) => ({ user: name, vhost, configure, write, read })),
    ),
  };
  writeFileSync(file('definitions.json'), JSON.stringify(document));
  const lines = ['listeners.tcp.default = 5672', `load_definitions = ${file('definitions.json')}`];
  writeFileSync(
    file('rabbitmq.conf'),
    [...lines, ...further, 'log.console = false', 'disk_free_limit.absolute = 50MB', ''].join('\n'),
  );
  writeFileSync(file('enabled_plugins'), '[].\n');
  writeFileSync(file('environment.conf'), '');
  run('rabbitmq', [rabbitmqServer], {
    HOME: directory,
    RABBITMQ_NODENAME: 'rabbit@localhost',
    RABBITMQ_CONF_ENV_FILE: file('environment.conf'),
    RABBITMQ_CONFIG_FILE: file('rabbitmq'),
    RABBITMQ_ENABLED_PLUGINS_FILE: file('enabled_plugins'),
    RABBITMQ_MNESIA_BASE: file('mnesia'),
    RABBITMQ_LOG_BASE: file('log'),
    RABBITMQ_PID_FILE: file('pid'),
  });
}

/** Debian's wrapper in /usr/sbin switches to the user rabbitmq, who has no write access here. */
const rabbitmqServer = '/usr/lib/rabbitmq/bin/rabbitmq-server';

/** Whether a port accepts a connection within a second; `from` is the source address. */
export const connects = (address: string | undefined, port: number, from?: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: address ?? '', ...(from !== undefined && { localAddress: from }) });
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => finish(false));
    socket.on('connect', () => finish(true)).on('error', () => finish(false));
  });

export async function listens(address: string, port: number): Promise<void> {
  await waitUntil(`${address}:${port} to listen`, () => connects(address, port));
}

/**
 * Initiates the replica set and its users; on MongoDB's machine, since before there are users only localhost may do so.
 */
async function initiate(host: Host, members: readonly string[], databases: readonly string[]) {
  const admin = { user: 'root', pwd: password };
  const script = `
    const { MongoClient } = require('mongodb');
    const retry = async (work) => { for (;;) try { return await work(); } catch { await new Promise((r) => setTimeout(r, 100)); } };
    (async () => {
      const client = new MongoClient('mongodb://127.0.0.1:27017/?directConnection=true');
      const admin = (await retry(() => client.connect())).db('admin');
      const members = ${JSON.stringify(members)}.map((name, _id) => ({ _id, host: name + ':27017', priority: _id === 0 ? 2 : 1 }));
      await retry(() => admin.command({ replSetInitiate: { _id: 'rs0', members } }));
      await retry(async () => { if (!(await admin.command({ hello: 1 })).isWritablePrimary) throw new Error('not yet'); });
      await admin.command({ createUser: '${admin.user}', pwd: ${JSON.stringify(admin.pwd)}, roles: ['root'] });
      await client.close();
    })();`;
  const [program = '', ...args] = [...host.prefix, process.execPath, '-e', script];
  const group = startGroup(program, args, { cwd: __dirname });
  const code = await group.ended;
  if (code !== 0) throw new Error(`The replica set was not made:\n${group.output()}`);
  const client = await MongoClient.connect(
    `mongodb://${credentials(admin.user)}@${host.address}:27017/?directConnection=true`,
  );
  for (const name of databases)
    await client.db(name).command({ createUser: name, pwd: password, roles: [{ role: 'readWrite', db: name }] });
  return {
    async empty() {
      for (const name of databases) {
        const collections = await client.db(name).listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
        await Promise.all(collections.map((collection) => client.db(name).collection(collection.name).deleteMany({})));
      }
    },
    close: () => client.close(),
  };
}
