import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { waitUntil } from '../../../testing/wait-until';

const name = 'itsm-main';
const redisPassword = 'of redis: @/?';
const sentinelPassword = 'of the sentinels';
/** The user of replicas and sentinels at the nodes. */
const peer = { user: 'peer', password: 'of-the-peers' };

/** PEM files of a server, and of the authority that vouches for it. */
export interface ServerCertificate {
  readonly authorityFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

interface Settings {
  /** Everything speaks TLS, and nothing else. */
  readonly certificate?: ServerCertificate;
  readonly replicas?: number;
  /** Further settings of all nodes. */
  readonly ofNodes?: readonly string[];
}

interface Node {
  readonly process: ChildProcess;
  readonly link: Redis;
}

/** A master with replicas, and three sentinels; all with passwords. */
export interface RedisSet {
  readonly url: string;
  /** Without the sentinels. */
  readonly urlOfMaster: string;
  readonly master: Node;
  readonly replicas: readonly Node[];
  readonly sentinels: readonly ChildProcess[];
  /** Resolves with the replica that has become the master. */
  newMaster(): Promise<Node>;
  /** No sentinel lets a client listen for failovers from now on. */
  deafen(): Promise<void>;
  /**
   * Cuts the master off from the replicas and the sentinels, in both directions. Clients still reach it, and for itself
   * it is the master.
   */
  cutOff(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedisSet({
  certificate,
  replicas: count = 1,
  ofNodes = [],
}: Settings = {}): Promise<RedisSet> {
  const directory = mkdtempSync(join(tmpdir(), 'itsm-sentinel-'));
  const running: ChildProcess[] = [];
  const links: Redis[] = [];

  const fileOf = (port: number): string => join(directory, `${port}.conf`);

  function configure(port: number, settings: readonly string[]): void {
    const all = [`dir ${directory}`, 'bind 127.0.0.1', ...listening(port, certificate), ...settings, ''];
    writeFileSync(fileOf(port), all.join('\n'));
  }

  function run(port: number, ...parameters: readonly string[]): ChildProcess {
    const child = spawn('redis-server', [fileOf(port), ...parameters], { stdio: 'ignore' });
    running.push(child);
    return child;
  }

  /** Resolves when the server answers. */
  async function linkOf(port: number, password: string): Promise<Redis> {
    // The tests' own links are no subject of the tests.
    const tls = certificate && { tls: { rejectUnauthorized: false } };
    const link = new Redis({ port, host: '127.0.0.1', password, ...tls });
    link.on('error', () => undefined);
    links.push(link);
    await link.ping();
    return link;
  }

  const [first = 0, ...others] = await freePorts(1 + count + 3);
  const ports = others.splice(0, count);
  const startNode = async (port: number, ...more: readonly string[]): Promise<Node> => {
    configure(port, [...nodeSettings(port), ...ofNodes, ...more]);
    return { process: run(port), link: await linkOf(port, redisPassword) };
  };
  const master = await startNode(first);
  const replicas = await Promise.all(ports.map((port) => startNode(port, `replicaof 127.0.0.1 ${first}`)));
  for (const port of others) configure(port, sentinelSettings(first));
  const sentinels = others.map((port) => run(port, '--sentinel'));
  const asked = await Promise.all(others.map((port) => linkOf(port, sentinelPassword)));
  await waitUntil('every sentinel to know the replicas and the others', async () => {
    const known = await Promise.all(
      asked.map(async (link) => [
        ((await link.call('sentinel', 'replicas', name)) as unknown[]).length,
        ((await link.call('sentinel', 'sentinels', name)) as unknown[]).length,
      ]),
    );
    return known.every(([following, beside]) => following === count && beside === 2);
  });
  const hosts = others.map((port) => `127.0.0.1:${port}`).join(',');
  const parameters = new URLSearchParams({ sentinel_password: sentinelPassword });
  const protocol = certificate ? 'rediss' : 'redis';
  const login = `:${encodeURIComponent(redisPassword)}`;
  return {
    url: `${protocol}-sentinel://${login}@${hosts}/${name}?${parameters}`,
    urlOfMaster: `${protocol}://${login}@127.0.0.1:${first}`,
    master,
    replicas,
    sentinels,
    newMaster: () =>
      waitUntil('a new master', async () => {
        const roles = await Promise.all(replicas.map(({ link }) => roleOf(link)));
        return replicas[roles.indexOf('master')];
      }),
    async deafen() {
      for (const link of asked) await link.call('acl', 'setuser', 'default', '-subscribe');
    },
    async cutOff() {
      await master.link.call('acl', 'setuser', peer.user, 'off');
      await master.link.call('client', 'kill', 'user', peer.user);
    },
    async stop() {
      for (const link of links) link.disconnect();
      await Promise.all(
        running.map(async (child) => {
          if (child.exitCode !== null || child.signalCode !== null) return;
          child.kill('SIGKILL');
          await once(child, 'exit');
        }),
      );
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export const roleOf = async (link: Redis): Promise<unknown> => ((await link.call('role')) as unknown[])[0];

const listening = (port: number, certificate: ServerCertificate | undefined): readonly string[] =>
  certificate
    ? [
        'port 0',
        `tls-port ${port}`,
        `tls-cert-file ${certificate.certificateFile}`,
        `tls-key-file ${certificate.keyFile}`,
        `tls-ca-cert-file ${certificate.authorityFile}`,
        'tls-auth-clients no',
        'tls-replication yes',
      ]
    : [`port ${port}`];

const nodeSettings = (port: number): readonly string[] => [
  `dbfilename ${port}.rdb`,
  'save ""',
  // A replica needs no snapshot on the disk, nor five seconds for more of them to come.
  'repl-diskless-sync-delay 0',
  `requirepass "${redisPassword}"`,
  `user ${peer.user} on >${peer.password} ~* &* +@all`,
  `masteruser ${peer.user}`,
  `masterauth ${peer.password}`,
];

const sentinelSettings = (master: number): readonly string[] => [
  `requirepass "${sentinelPassword}"`,
  `sentinel sentinel-pass "${sentinelPassword}"`,
  `sentinel monitor ${name} 127.0.0.1 ${master} 2`,
  `sentinel auth-user ${name} ${peer.user}`,
  `sentinel auth-pass ${name} ${peer.password}`,
  `sentinel down-after-milliseconds ${name} 500`,
  `sentinel failover-timeout ${name} 3000`,
];

/** Ports that were free just now. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(async (server) => once(server.close(), 'close')));
  return ports;
}
