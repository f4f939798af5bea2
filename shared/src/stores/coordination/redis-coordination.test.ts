import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { startTcpProxy } from '../../messages/broker/testing/tcp-proxy';
import type { TcpProxy } from '../../messages/broker/testing/tcp-proxy';
import { silentLogger } from '../../observing/logs/logger';
import { waitUntil } from '../../testing/wait-until';
import type { Coordination } from './coordination';
import { describeCoordination } from './coordination.contract';
import { connectRedisCoordination } from './redis-coordination';

// Set by scripts/redis.mjs. Without it these tests are skipped.
const redisUrl = process.env.REDIS_URL ?? '';
const describeWithRedis = redisUrl === '' ? describe.skip : describe;
// A cluster announces its nodes' addresses, so a proxy cannot intercept them.
const describeWithOne = redisUrl.startsWith('redis-cluster:') ? describe.skip : describe;

describeWithRedis('with Redis', () => {
  describeCoordination('Redis', async () => {
    const coordination = await connectRedisCoordination(redisUrl, silentLogger);
    // Redis uses its own clock, so real time has to pass.
    return {
      coordination,
      present: Date.now,
      pass: (milliseconds) => pause(milliseconds),
      close: () => coordination.close(),
    };
  });

  describeWithOne('Redis coordination', () => {
    let wire: TcpProxy;
    let coordination: Coordination;
    beforeEach(async () => {
      const { hostname, port } = new URL(redisUrl);
      wire = await startTcpProxy(hostname, Number(port || 6379));
      coordination = await connectRedisCoordination(`redis://127.0.0.1:${wire.port}`, silentLogger);
    });
    afterEach(async () => {
      await coordination.close();
      await wire.close();
    });

    const revision = () => `revision:${randomUUID()}`;
    const works = () =>
      coordination.take([], [revision()]).then(
        () => true,
        () => false,
      );

    test('two connections share windows and revisions', async () => {
      const other = await connectRedisCoordination(redisUrl, silentLogger);
      const window = { key: randomUUID(), limit: 20, seconds: 60, amount: 1 };
      const twenty = Array.from({ length: 20 }, () => [coordination, other]).flat();
      const taken = await Promise.all(twenty.map((each) => each.take([window], [])));
      expect(taken.filter(({ allowed }) => allowed)).toHaveLength(20);
      const name = revision();
      const [before = 0] = (await coordination.take([], [name])).revisions;
      await other.bump([name]);
      expect((await coordination.take([], [name])).revisions).toEqual([before + 1]);
      await other.close();
    });

    test('calls reject within the deadline while Redis is silent, and work again afterwards', async () => {
      wire.freeze();
      await expect(coordination.take([], [revision()])).rejects.toThrow();
      await expect(coordination.bump([revision()])).rejects.toThrow();
      wire.thaw();
      await waitUntil('Redis to answer', works);
    });

    test('the client reconnects by itself, and nothing is taken twice', async () => {
      const window = { key: randomUUID(), limit: 100, seconds: 60, amount: 1 };
      let sent = 0;
      for (; sent < 20; sent += 1) {
        const taking = coordination.take([window], []).catch(() => undefined);
        if (sent % 5 === 0) wire.cut();
        await taking;
        await waitUntil('Redis to be back', works);
      }
      const looked = await coordination.take([{ ...window, amount: 0 }], []);
      expect(looked.windows[0]?.remaining).toBeGreaterThanOrEqual(100 - sent);
    });

    test('after a loss of all data no earlier revision occurs again', async () => {
      const name = revision();
      await coordination.bump([name]);
      const [before = 0] = (await coordination.take([], [name])).revisions;
      const direct = new Redis(redisUrl);
      await direct.del(name);
      await direct.quit();
      const [afterwards = 0] = (await coordination.take([], [name])).revisions;
      expect(afterwards).toBeGreaterThan(before);
    });

    test('expired windows leave no keys behind', async () => {
      const window = { key: randomUUID(), limit: 1, seconds: 1, amount: 1 };
      await coordination.take([window], []);
      const direct = new Redis(redisUrl);
      await waitUntil('the window to go', async () => (await direct.exists(window.key)) === 0);
      await direct.quit();
    });
  });

  test('calls reject when Redis was never reachable', async () => {
    const coordination = await connectRedisCoordination('redis://127.0.0.1:1', silentLogger);
    await expect(coordination.take([], ['revision:nowhere'])).rejects.toThrow();
    await coordination.close();
  });
});
