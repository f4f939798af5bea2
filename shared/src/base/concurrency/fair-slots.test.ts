import { setImmediate as turn } from 'node:timers/promises';
import { createFairSlots } from './fair-slots';

const crowded = (by: 'owner' | 'all') => new Error(`crowded by ${by}`);

/** Named jobs that the test finishes. */
function createJobs(options: Partial<Parameters<typeof createFairSlots>[0]> = {}) {
  const slots = createFairSlots({ limit: 2, perOwner: 2, mostWaiting: 10, crowded, ...options });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    isCrowdedFor: (owner: string) => slots.isCrowdedFor(owner),
    run: (owner: string, name: string, signal?: AbortSignal, weight?: number) =>
      slots
        .run(
          owner,
          () => {
            started.push(name);
            return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
          },
          signal,
          weight,
        )
        .catch((error: unknown) => error),
    async finish(name: string) {
      ends.get(name)?.();
      await turn();
    },
  };
}

test('owners take turns, however many jobs one of them has', async () => {
  const jobs = createJobs();
  for (const name of ['a1', 'a2', 'a3', 'a4']) void jobs.run('a', name);
  void jobs.run('b', 'b1');
  void jobs.run('c', 'c1');
  await turn();
  expect(jobs.started).toEqual(['a1', 'a2']);
  await jobs.finish('a1');
  await jobs.finish('a2');
  expect(jobs.started).toEqual(['a1', 'a2', 'a3', 'b1']);
  await jobs.finish('a3');
  await jobs.finish('b1');
  expect(jobs.started).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4']);
});

test('an owner at its own limit leaves the other slots free', async () => {
  const jobs = createJobs({ limit: 3, perOwner: 1 });
  for (const name of ['a1', 'a2']) void jobs.run('a', name);
  void jobs.run('b', 'b1');
  await turn();
  expect(jobs.started).toEqual(['a1', 'b1']);
  await jobs.finish('b1');
  expect(jobs.started).toEqual(['a1', 'b1']);
  await jobs.finish('a1');
  expect(jobs.started).toEqual(['a1', 'b1', 'a2']);
});

test('with leavesRoom an owner gets at most as many slots as stay free', async () => {
  const jobs = createJobs({ limit: 8, perOwner: 8, leavesRoom: true });
  for (let n = 1; n <= 6; n += 1) void jobs.run('a', `a${n}`);
  for (let n = 1; n <= 4; n += 1) void jobs.run('b', `b${n}`);
  void jobs.run('c', 'c1');
  await turn();
  expect(jobs.started).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']);
  // Two of `a` ended: now each owner may have one more, but not both at once.
  await jobs.finish('a1');
  expect(jobs.started.slice(7)).toEqual([]);
  await jobs.finish('a2');
  expect(jobs.started.slice(7)).toEqual(['a5']);
  await jobs.finish('c1');
  expect(jobs.started.slice(8)).toEqual(['b3']);
  for (const name of ['b1', 'b2', 'b3', 'a3', 'a4', 'a5', 'a6', 'b4']) await jobs.finish(name);
  expect(jobs.started.slice(9).sort()).toEqual(['a6', 'b4']);
});

test('isFreeFor predicts whether a job would start at once', async () => {
  const slots = createFairSlots({ limit: 2, perOwner: 1, mostWaiting: 1, crowded });
  expect(slots.isFreeFor('a')).toBe(true);
  void slots.run('a', () => new Promise(() => undefined));
  expect([slots.isFreeFor('a'), slots.isFreeFor('b')]).toEqual([false, true]);
  void slots.run('b', () => new Promise(() => undefined));
  expect(slots.isFreeFor('c')).toBe(false);
});

test("a job over the owner's queue limit is refused at once; other owners can wait", async () => {
  const jobs = createJobs({ limit: 1, mostWaiting: 1, mostWaitingOverall: 2 });
  void jobs.run('a', 'a1');
  void jobs.run('a', 'a2');
  expect(await jobs.run('a', 'a3')).toEqual(crowded('owner'));
  void jobs.run('b', 'b1');
  expect(await jobs.run('c', 'c1')).toEqual(crowded('all'));
  for (const name of ['a1', 'a2', 'b1']) await jobs.finish(name);
  expect(jobs.started).toEqual(['a1', 'a2', 'b1']);
});

test('when the queue is full, the newest job of the owner with the longest queue is evicted, until queues are equal', async () => {
  const jobs = createJobs({ limit: 1, mostWaitingOverall: 4 });
  void jobs.run('a', 'a1');
  const waiting = ['a2', 'a3', 'a4', 'a5'].map((name) => jobs.run('a', name));
  void jobs.run('b', 'b1');
  expect(await waiting[3]).toEqual(crowded('all'));
  void jobs.run('b', 'b2');
  expect(await waiting[2]).toEqual(crowded('all'));
  for (const owner of ['a', 'b']) expect(await jobs.run(owner, 'one too many')).toEqual(crowded('all'));
  const one = jobs.run('c', 'c1');
  expect(await Promise.race([one, waiting[1]])).toEqual(crowded('all'));
  for (const name of ['a1', 'a2', 'b1', 'c1', 'b2']) await jobs.finish(name);
  expect(jobs.started).toEqual(['a1', 'a2', 'b1', 'c1', 'b2']);
});

test('jobs are weighted in the queue limit, and the limit may depend on the owner', async () => {
  const jobs = createJobs({ limit: 1, mostWaitingOverall: (owner) => (owner === 'vip' ? 5 : 4) });
  void jobs.run('a', 'a1');
  void jobs.run('b', 'b1', undefined, 3);
  expect(await jobs.run('c', 'c1', undefined, 2)).toEqual(crowded('all'));
  void jobs.run('d', 'd1');
  expect(await jobs.run('e', 'e1')).toEqual(crowded('all'));
  void jobs.run('vip', 'v1');
  for (const name of ['a1', 'b1', 'd1', 'v1']) await jobs.finish(name);
  expect(jobs.started).toEqual(['a1', 'b1', 'd1', 'v1']);
  void jobs.run('f', 'f1', undefined, 4);
  await jobs.finish('v1');
  expect(jobs.started).toContain('f1');
});

test('isCrowdedFor predicts which owner would be refused', async () => {
  const jobs = createJobs({ limit: 1, mostWaiting: 2, mostWaitingOverall: 3 });
  expect(jobs.isCrowdedFor('a')).toBe(false);
  for (const name of ['a1', 'a2', 'a3']) void jobs.run('a', name);
  expect([jobs.isCrowdedFor('a'), jobs.isCrowdedFor('b')]).toEqual([true, false]);
  void jobs.run('b', 'b1');
  // It would evict a job of `a`, which has the longer queue.
  expect([jobs.isCrowdedFor('b'), jobs.isCrowdedFor('c')]).toEqual([true, false]);
  void jobs.run('c', 'c1');
  expect([jobs.isCrowdedFor('c'), jobs.isCrowdedFor('d')]).toEqual([true, true]);
  for (const name of ['a1', 'a2']) await jobs.finish(name);
  expect(jobs.isCrowdedFor('d')).toBe(false);
});

test('an aborted job leaves the queue, and takes no slot', async () => {
  const jobs = createJobs({ limit: 1 });
  const gone = new AbortController();
  void jobs.run('a', 'a1');
  const second = jobs.run('a', 'a2', gone.signal);
  void jobs.run('a', 'a3');
  gone.abort(new Error('the client left'));
  expect(await second).toEqual(new Error('the client left'));
  expect(await jobs.run('a', 'a4', gone.signal)).toEqual(new Error('the client left'));
  await jobs.finish('a1');
  expect(jobs.started).toEqual(['a1', 'a3']);
});

test('a failed job frees its slot', async () => {
  const slots = createFairSlots({ limit: 1, perOwner: 1, mostWaiting: 1, crowded });
  await expect(slots.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await slots.run('a', () => Promise.resolve('done'))).toBe('done');
});
