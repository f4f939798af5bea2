import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { silentLogger } from '../../observing/logs/logger';
import { waitUntil } from '../../testing/wait-until';
import { connectRedisCoordination } from './redis-coordination';

// Where a Redis is given, its programs are there. Without it these tests are skipped.
const describeWithRedis = (process.env.REDIS_URL ?? '') === '' ? describe.skip : describe;
const name = 'itsm-main';
const redisPassword = 'of redis: @/?';
const sentinelPassword = 'of the sentinels';
/** So long that no test meets its end. */
const patience = 100_000;

describeWithRedis('with Sentinel', () => {
  const directory = mkdtempSync(join(tmpdir(), 'itsm-sentinel-'));
  const running: ChildProcess[] = [];
  const opened: Redis[] = [];
  const nodes: { readonly port: number; readonly process: ChildProcess }[] = [];
  let url = '';

  beforeAll(async () => {
    const [first = 0, second = 0, ...sentinels] = await freePorts(5);
    for (const port of [first, second]) nodes.push({ port, process: run(`redis-${port}`, nodeSettings(port, first)) });
    for (const { port } of nodes) await linkOf(port, redisPassword);
    for (const port of sentinels) run(`sentinel-${port}`, sentinelSettings(port, first), '--sentinel');
    const links = await Promise.all(sentinels.map((port) => linkOf(port, sentinelPassword)));
    await waitUntil('every sentinel to know the replica and the others', async () => {
      const known = await Promise.all(
        links.map(async (link) => [
          ((await link.call('sentinel', 'replicas', name)) as unknown[]).length,
          ((await link.call('sentinel', 'sentinels', name)) as unknown[]).length,
        ]),
      );
      return known.every(([replicas, others]) => replicas === 1 && others === 2);
    });
    const hosts = sentinels.map((port) => `127.0.0.1:${port}`).join(',');
    const parameters = new URLSearchParams({ sentinel_password: sentinelPassword });
    url = `redis-sentinel://:${encodeURIComponent(redisPassword)}@${hosts}/${name}?${parameters}`;
  });

  afterAll(async () => {
    for (const link of opened) link.disconnect();
    await Promise.all(
      running.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGKILL');
        await once(child, 'exit');
      }),
    );
    rmSync(directory, { recursive: true, force: true });
  });

  test('the death of the master is waited out, and what was read from it is unequal afterwards', async () => {
    const [gateway, auth] = await Promise.all([
      connectRedisCoordination(url, silentLogger, patience),
      connectRedisCoordination(url, silentLogger, patience),
    ]);
    const window = { key: randomUUID(), limit: 100, seconds: 3_600, amount: 1 };
    const revision = `revision:${randomUUID()}`;
    const { revisions: before } = await gateway.take([window], [revision]);
    const [master, replica] = nodes;
    if (!master || !replica) throw new Error('the nodes are missing');
    // With all of the master's data the replica has the same revision, as it would have after losing the last bumps.
    const link = await linkOf(master.port, redisPassword);
    expect(await link.wait(1, 0)).toBe(1);

    master.process.kill('SIGKILL');
    await once(master.process, 'exit');
    const asked = Array.from({ length: 20 }, () => gateway.take([window], [revision]));
    const bumped = auth.bump([`revision:${randomUUID()}`]);
    for (const taken of await Promise.all(asked)) {
      expect(taken.allowed).toBe(true);
      expect(taken.revisions).not.toEqual(before);
    }
    await bumped;
    const successor = await linkOf(replica.port, redisPassword);
    expect(await successor.call('role')).toContain('master');
    await Promise.all([gateway.close(), auth.close()]);
  });

  function run(what: string, settings: readonly string[], ...parameters: readonly string[]): ChildProcess {
    const file = join(directory, `${what}.conf`);
    writeFileSync(file, [`dir ${directory}`, 'bind 127.0.0.1', ...settings, ''].join('\n'));
    const child = spawn('redis-server', [file, ...parameters], { stdio: 'ignore' });
    running.push(child);
    return child;
  }

  /** Resolves when the server answers. */
  async function linkOf(port: number, password: string): Promise<Redis> {
    const link = new Redis({ port, host: '127.0.0.1', password });
    link.on('error', () => undefined);
    opened.push(link);
    await link.ping();
    return link;
  }
});

const nodeSettings = (port: number, master: number): readonly string[] => [
  `port ${port}`,
  `dbfilename ${port}.rdb`,
  'save ""',
  `requirepass "${redisPassword}"`,
  `masterauth "${redisPassword}"`,
  ...(port === master ? [] : [`replicaof 127.0.0.1 ${master}`]),
];

const sentinelSettings = (port: number, master: number): readonly string[] => [
  `port ${port}`,
  `requirepass "${sentinelPassword}"`,
  `sentinel sentinel-pass "${sentinelPassword}"`,
  `sentinel monitor ${name} 127.0.0.1 ${master} 2`,
  `sentinel auth-pass ${name} "${redisPassword}"`,
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
