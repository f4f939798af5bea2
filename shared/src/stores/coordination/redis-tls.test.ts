import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileServices } from '../../testing/service-process';
import { waitUntil } from '../../testing/wait-until';
import { startRedisSet } from './testing/redis-set';
import type { RedisSet } from './testing/redis-set';
import { makeServerCertificate } from './testing/server-certificate';

// Where a Redis is given, its programs are there. Without it these tests are skipped.
const describeWithRedis = (process.env.REDIS_URL ?? '') === '' ? describe.skip : describe;

describeWithRedis('Redis and sentinels that speak nothing but TLS, with certificates of a private authority', () => {
  const directory = mkdtempSync(join(tmpdir(), 'itsm-redis-tls-'));
  const window = { key: randomUUID(), limit: 100, seconds: 3_600, amount: 1 };
  let set: RedisSet;
  let trusting: NodeJS.ProcessEnv;
  const clients: ChildProcess[] = [];

  beforeAll(async () => {
    compileServices();
    const certificate = makeServerCertificate(directory);
    trusting = { NODE_EXTRA_CA_CERTS: certificate.authorityFile };
    set = await startRedisSet({ certificate });
  });
  afterAll(async () => {
    for (const client of clients) client.kill('SIGKILL');
    await set.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function connect(url: string, env: NodeJS.ProcessEnv): Promise<() => Promise<unknown>> {
    const client = fork(join(__dirname, 'testing/coordination-process.cjs'), [url], { env, execArgv: [] });
    clients.push(client);
    await once(client, 'message');
    return async () => {
      client.send(window);
      const [answer] = (await once(client, 'message')) as [unknown];
      return answer;
    };
  }

  const outOfReach = { message: expect.stringContaining('out of reach') as string };

  test('one Redis, by rediss:', async () => {
    const take = await connect(set.urlOfMaster, trusting);
    expect(await take()).toMatchObject({ allowed: true });
    const distrusting = await connect(set.urlOfMaster, {});
    expect(await distrusting()).toEqual(outOfReach);
  });

  test('the sentinels, their master and the next one, by rediss-sentinel:', async () => {
    const take = await connect(set.url, trusting);
    expect(await take()).toMatchObject({ allowed: true });
    // A client that stays at the old master keeps its connection.
    await set.cutOff();
    const { link } = await set.newMaster();
    // So the new master has no count of its own.
    await link.del(window.key);
    await waitUntil('the client to be at the new master', async () => {
      await take();
      return (await link.exists(window.key)) === 1;
    });
  });

  test('certificates of an authority that is not trusted are refused', async () => {
    const take = await connect(set.url, {});
    expect(await take()).toEqual(outOfReach);
  });

  test('a client without TLS gets nothing', async () => {
    const take = await connect(set.url.replace('rediss-', 'redis-'), trusting);
    expect(await take()).toEqual(outOfReach);
  });
});
