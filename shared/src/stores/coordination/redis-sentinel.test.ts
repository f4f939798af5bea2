import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { silentLogger } from '../../observing/logs/logger';
import { waitUntil } from '../../testing/wait-until';
import type { Coordination } from './coordination';
import { connectRedisCoordination } from './redis-coordination';
import { roleOf, startRedisSet } from './testing/redis-set';
import type { RedisSet } from './testing/redis-set';

// Where a Redis is given, its programs are there. Without it these tests are skipped.
const describeWithRedis = (process.env.REDIS_URL ?? '') === '' ? describe.skip : describe;
/** So long that no test meets its end. */
const patience = 100_000;

describeWithRedis('with Sentinel', () => {
  let set: RedisSet;
  let gateway: Coordination;
  let auth: Coordination;

  async function start(settings: Parameters<typeof startRedisSet>[0] = {}): Promise<void> {
    set = await startRedisSet(settings);
    gateway = await connectRedisCoordination(set.url, silentLogger, patience);
    auth = await connectRedisCoordination(set.url, silentLogger, patience);
  }

  afterEach(async () => {
    // Otherwise a client waits for the answer of a frozen server to its last command.
    for (const child of [set.master.process, ...set.sentinels]) child.kill('SIGCONT');
    await Promise.all([gateway.close(), auth.close()]);
    await set.stop();
  });

  const newWindow = () => ({ key: randomUUID(), limit: 100, seconds: 3_600, amount: 1 });
  const newRevision = () => `revision:${randomUUID()}`;
  const untilReplaced = () =>
    waitUntil('the old master to follow the new one', async () => (await roleOf(set.master.link)) === 'slave');
  /** A revision without the number of the connection by which it was read. */
  const inStore = (revision: string): string | undefined => revision.split(':')[1];
  const isAllowed = ({ allowed }: { readonly allowed: boolean }) => allowed;

  /** Asks until the client has left the old master. What was on its way to it is refused. */
  const untilMoved = (coordination: Coordination, revision: string, before: readonly string[]) =>
    waitUntil('the client to be at the new master', () =>
      coordination.take([], [revision]).then(
        ({ revisions }) => revisions[0] !== before[0],
        () => false,
      ),
    );

  test('the death of the master is waited out, and what was read from it is unequal afterwards', async () => {
    await start();
    const [window, revision] = [newWindow(), newRevision()];
    const { revisions: before } = await gateway.take([window], [revision]);
    // With all of the master's data the replica has the same revision, as it would have after losing the last bumps.
    expect(await set.master.link.wait(1, 0)).toBe(1);

    set.master.process.kill('SIGKILL');
    await once(set.master.process, 'exit');
    const asked = Array.from({ length: 20 }, () => gateway.take([window], [revision]));
    const bumped = auth.bump([newRevision()]);
    for (const taken of await Promise.all(asked)) {
      expect(taken.allowed).toBe(true);
      expect(taken.revisions).not.toEqual(before);
    }
    await bumped;
    await set.newMaster();
  });

  test('a frozen master is left for the new one, though a sentinel is frozen with it, and its awakening changes nothing', async () => {
    await start();
    const [window, revision] = [newWindow(), newRevision()];
    const { revisions: before } = await gateway.take([window], [revision]);
    await auth.take([], [revision]);
    expect(await set.master.link.wait(1, 0)).toBe(1);

    // As when their machine is frozen. Clients ask the first sentinel first.
    for (const child of [set.master.process, set.sentinels[0]]) child?.kill('SIGSTOP');
    // It was sent to the old master, so it may count there; it must not be repeated.
    const underway = gateway.take([window], [revision]).catch(() => 'refused');
    await auth.bump([revision]);
    expect(await underway).toBe('refused');
    await untilMoved(gateway, revision, before);
    const { revisions: bumped } = await gateway.take([], [revision]);
    const asked = await Promise.all(Array.from({ length: 20 }, () => gateway.take([window], [revision])));
    expect(asked.every(isAllowed)).toBe(true);

    for (const child of [set.master.process, set.sentinels[0]]) child?.kill('SIGCONT');
    await untilReplaced();
    const after = await gateway.take([{ ...window, amount: 0 }], [revision]);
    expect(after.windows[0]?.remaining).toBe(100 - 1 - 20);
    // The sentinel that awakes may announce the new master once more, to which the client then connects again.
    expect(after.revisions.map(inStore)).toEqual(bumped.map(inStore));
  });

  test('a master that is cut off loses its clients to the new one, and no revocation is lost', async () => {
    await start();
    const [window, revision] = [newWindow(), newRevision()];
    await gateway.take([window], [revision]);
    expect(await set.master.link.wait(1, 0)).toBe(1);

    await set.cutOff();
    // Nothing but the old master has this one: it is the worst case, and lost with it.
    await auth.bump([revision]);
    const { revisions: before } = await gateway.take([], [revision]);
    const { link } = await set.newMaster();
    await untilMoved(gateway, revision, before);
    await waitUntil('the other client to move too', async () => {
      const key = newRevision();
      await auth.bump([key]);
      return (await link.exists(key)) === 1;
    });
    const { revisions: moved } = await gateway.take([], [revision]);
    expect(moved).not.toEqual(before);
    await gateway.take([window], []);
    expect(await link.get(window.key)).toBe('2');
  });

  test('what a master refuses that is cut off waits for the new one, also when nobody hears of the failover', async () => {
    // The new master needs a replica as well.
    await start({ replicas: 2, ofNodes: ['min-replicas-to-write 1', 'min-replicas-max-lag 2'] });
    await set.deafen();
    const deaf = await connectRedisCoordination(set.url, silentLogger, patience);
    const [window, revision] = [newWindow(), newRevision()];
    await deaf.take([window], []);
    const { revisions: before } = await gateway.take([window], [revision]);
    expect(await set.master.link.wait(2, 0)).toBe(2);

    await set.cutOff();
    const asked = Array.from({ length: 20 }, () => gateway.take([window], [revision]));
    const unheard = Array.from({ length: 20 }, () => deaf.take([window], []));
    const bumped = auth.bump([revision]);
    for (const taken of await Promise.all(asked)) {
      expect(taken.allowed).toBe(true);
      expect(taken.revisions).not.toEqual(before);
    }
    await bumped;
    expect((await Promise.all(unheard)).every(isAllowed)).toBe(true);
    const { link } = await set.newMaster();
    expect(await link.get(window.key)).toBe('42');
    await deaf.close();
  });
});
