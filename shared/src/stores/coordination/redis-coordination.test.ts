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

/** So long that no test meets its end. */
const patience = 100_000;
const through = (wire: TcpProxy, absence: number) =>
  connectRedisCoordination(`redis://127.0.0.1:${wire.port}`, silentLogger, absence);

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
      coordination = await through(wire, 2_000);
    });
    afterEach(async () => {
      await coordination.close();
      await wire.close();
    });

    const revision = () => `revision:${randomUUID()}`;
    const worksFor = (asked: Coordination) =>
      asked.take([], [revision()]).then(
        () => true,
        () => false,
      );
    const works = () => worksFor(coordination);
    const refusalOf = (asked: Coordination, message: RegExp) =>
      asked.take([], []).then(
        () => false,
        (error: Error) => message.test(error.message),
      );

    test('two connections share windows and revisions', async () => {
      const other = await connectRedisCoordination(redisUrl, silentLogger);
      const window = { key: randomUUID(), limit: 20, seconds: 60, amount: 1 };
      const twenty = Array.from({ length: 20 }, () => [coordination, other]).flat();
      const taken = await Promise.all(twenty.map((each) => each.take([window], [])));
      expect(taken.filter(({ allowed }) => allowed)).toHaveLength(20);
      const name = revision();
      const before = (await coordination.take([], [name])).revisions;
      await other.bump([name]);
      expect((await coordination.take([], [name])).revisions).not.toEqual(before);
      await other.close();
    });

    test('calls reject when Redis is silent for too long, then at once, and work again afterwards', async () => {
      const impatient = await through(wire, 200);
      wire.freeze();
      await expect(impatient.take([], [revision()])).rejects.toThrow(/timed out|timeout/);
      // No call is sent into the silence any more.
      await waitUntil('a refusal without a wait', () => refusalOf(impatient, /out of reach/));
      await expect(impatient.bump([revision()])).rejects.toThrow('out of reach');
      wire.thaw();
      await waitUntil('Redis to answer', () => worksFor(impatient));
      await impatient.close();
    });

    test('a silence that ends in time fails no call', async () => {
      const patient = await through(wire, patience);
      const window = { key: randomUUID(), limit: 20, seconds: 60, amount: 1 };
      wire.freeze();
      const asked = [patient.take([window], [revision()]), patient.take([window], []), patient.bump([revision()])];
      wire.thaw();
      await Promise.all(asked);
      expect((await patient.take([{ ...window, amount: 0 }], [])).windows[0]?.remaining).toBe(18);
      await patient.close();
    });

    test('calls wait for a Redis that is away and comes back in time, each is counted once', async () => {
      const patient = await through(wire, patience);
      const window = { key: randomUUID(), limit: 50, seconds: 60, amount: 1 };
      await wire.close();
      await waitUntil('the loss of the connection', () => works().then((does) => !does));
      const asked = Array.from({ length: 20 }, () => patient.take([window], []));
      const bumped = patient.bump([revision()]);
      const { hostname, port } = new URL(redisUrl);
      wire = await startTcpProxy(hostname, Number(port || 6379), wire.port);
      expect((await Promise.all(asked)).filter(({ allowed }) => allowed)).toHaveLength(20);
      await bumped;
      expect((await patient.take([{ ...window, amount: 0 }], [])).windows[0]?.remaining).toBe(30);
      await patient.close();
    });

    test('a thousand calls wait, and more are refused at once', async () => {
      const patient = await through(wire, patience);
      await wire.close();
      await waitUntil('the loss of the connection', () => works().then((does) => !does));
      const waiting = Array.from({ length: 1_000 }, () => patient.take([], []));
      await expect(patient.take([], [])).rejects.toThrow('Too many calls wait');
      await patient.close();
      const ends = await Promise.allSettled(waiting);
      expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(1_000);
    });

    test('a bump whose connection is lost is sent again', async () => {
      const patient = await through(wire, patience);
      const name = revision();
      const before = (await patient.take([], [name])).revisions;
      wire.freeze();
      const bumped = patient.bump([name]);
      wire.cut();
      wire.thaw();
      await bumped;
      expect((await patient.take([], [name])).revisions).not.toEqual(before);
      await patient.close();
    });

    test('what was read through another connection is unequal', async () => {
      const name = revision();
      const before = (await coordination.take([], [name])).revisions;
      expect((await coordination.take([], [name])).revisions).toEqual(before);
      wire.cut();
      await waitUntil('Redis to be back', works);
      expect((await coordination.take([], [name])).revisions).not.toEqual(before);
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
      const before = (await coordination.take([], [name])).revisions;
      const direct = new Redis(redisUrl);
      await direct.del(name);
      await direct.quit();
      expect((await coordination.take([], [name])).revisions).not.toEqual(before);
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
    const coordination = await connectRedisCoordination('redis://127.0.0.1:1', silentLogger, 100);
    await expect(coordination.take([], ['revision:nowhere'])).rejects.toThrow();
    await coordination.close();
  });
});
