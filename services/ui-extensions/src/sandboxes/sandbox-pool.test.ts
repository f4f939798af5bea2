import { waitUntil } from '@itsm/shared/testing/wait-until';
import { createSandboxPool } from './sandbox-pool';
import type { PoolLimits, SandboxPool } from './sandbox-pool';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The protocol of a sandbox without a compiler: every job is code, and every answer carries the process id.
const evaluator = `process.on('message', (job) => {
  try { process.send({ kind: 'done', result: [process.pid, (0, eval)(job)] }); }
  catch (error) { process.send({ kind: 'broken', reason: error.message }); }
});
process.send({ kind: 'ready' });`;

type Result = readonly [pid: number, value: unknown];

const usual: PoolLimits = {
  ...{
    sandboxes: 2,
    memoryMegabytes: 64,
    jobMilliseconds: 1_000,
    firstJobMilliseconds: 1_000,
    startMilliseconds: 10_000,
  },
  ...{ waiting: 50, waitingOfOwner: 30, waitMilliseconds: 10_000 },
};

const directory = mkdtempSync(join(tmpdir(), 'sandboxes-'));
const pools: SandboxPool<string, Result>[] = [];
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  rmSync(directory, { recursive: true });
});

function createPool(given: Partial<PoolLimits> = {}, code = evaluator): SandboxPool<string, Result> {
  const limits = { ...usual, firstJobMilliseconds: given.jobMilliseconds ?? usual.firstJobMilliseconds, ...given };
  const script = join(directory, `${pools.length}.cjs`);
  writeFileSync(script, code);
  const pool = createSandboxPool<string, Result>(script, limits);
  pools.push(pool);
  return pool;
}

async function resultOf(pool: SandboxPool<string, Result>, job: string, owner = 'wdc'): Promise<Result> {
  const ran = await pool.run(owner, job);
  if (ran.kind !== 'done') throw new Error(ran.kind);
  return ran.result;
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const forever = 'for (;;) {}';
const unavailable = { code: 'service_unavailable', details: { headers: { 'Retry-After': '5' } } };

test('a sandbox is used again, and a failed job does not cost it', async () => {
  const pool = createPool();
  const [pid, sum] = await resultOf(pool, '1 + 2');
  expect(sum).toBe(3);
  expect(await resultOf(pool, '"again"')).toEqual([pid, 'again']);
});

test.each([
  ['too slow', forever],
  ['too large', 'const all = []; for (;;) all.push(1)'],
  ['too large', 'let text = "é"; for (;;) text = [text, text].join("")'],
])('a job that is %s ends its sandbox; the next job finds a new one', async (kind, job) => {
  const pool = createPool({ jobMilliseconds: kind === 'too slow' ? 300 : 10_000 });
  const [pid] = await resultOf(pool, '1');
  expect(await pool.run('wdc', job)).toEqual({ kind });
  const [next] = await resultOf(pool, '1');
  expect(next).not.toBe(pid);
  expect(isAlive(pid)).toBe(false);
});

test('the first job of a sandbox may take longer', async () => {
  const pool = createPool({ jobMilliseconds: 200, firstJobMilliseconds: 10_000 });
  const half = 'const end = Date.now() + 500; while (Date.now() < end);';
  expect(await pool.run('wdc', half)).toMatchObject({ kind: 'done' });
  expect(await pool.run('wdc', half)).toEqual({ kind: 'too slow' });
});

test.each(['process.exit(3)', 'process.kill(process.pid, "SIGKILL"); for (;;) {}', 'throw new Error("oops")'])(
  'a job whose sandbox breaks (%s) fails; the next job works',
  async (job) => {
    const pool = createPool();
    await expect(pool.run('wdc', job)).rejects.toThrow(/A sandbox ended by itself: (3|SIGKILL)|oops/);
    expect((await resultOf(pool, '4'))[1]).toBe(4);
  },
);

test('a sandbox that ends while it is idle is replaced', async () => {
  const pool = createPool();
  const [pid] = await resultOf(pool, '1');
  process.kill(pid, 'SIGKILL');
  await waitUntil('the sandbox to have gone', () => !isAlive(pid));
  expect((await resultOf(pool, '2'))[0]).not.toBe(pid);
});

test('one owner occupies one sandbox, so that another owner is served', async () => {
  const pool = createPool({ jobMilliseconds: 5_000 });
  const slow = [pool.run('wdc', forever), pool.run('wdc', forever)];
  const ended = Promise.allSettled(slow);
  expect((await resultOf(pool, '1', 'acme'))[1]).toBe(1);
  await pool.close();
  expect(await ended).toEqual([
    { status: 'rejected', reason: expect.objectContaining(unavailable) as unknown },
    { status: 'rejected', reason: expect.objectContaining(unavailable) as unknown },
  ]);
});

test('more than may wait is refused at once, and whoever waits too long is refused then', async () => {
  const pool = createPool({ waitingOfOwner: 1, waiting: 2, waitMilliseconds: 300, jobMilliseconds: 2_000 });
  // On a busy machine a sandbox takes longer to start than anybody may wait.
  await waitUntil('the sandbox to have started', () => pool.run('wdc', '1').catch(() => false), 20_000);
  const running = pool.run('wdc', forever);
  const waiting = pool.run('wdc', '1');
  await expect(pool.run('wdc', '1')).rejects.toMatchObject(unavailable);
  await expect(waiting).rejects.toMatchObject(unavailable);
  expect(await running).toEqual({ kind: 'too slow' });
});

test('closing ends every sandbox, also a busy one, and takes no more jobs', async () => {
  const pool = createPool({ jobMilliseconds: 60_000 });
  const [pid] = await resultOf(pool, '1');
  const busy = expect(pool.run('wdc', forever)).rejects.toMatchObject(unavailable);
  await pool.close();
  await busy;
  expect(isAlive(pid)).toBe(false);
  await expect(pool.run('wdc', '1')).rejects.toMatchObject(unavailable);
});

test('closing while the first sandbox starts leaves nobody waiting', async () => {
  const pool = createPool();
  const waiting = expect(pool.run('wdc', '1')).rejects.toMatchObject(unavailable);
  await pool.close();
  await waiting;
});

test('a sandbox that does not start fails the jobs with the reason', async () => {
  const broken = createPool({}, 'throw new Error("no compiler")');
  await expect(broken.run('wdc', '1')).rejects.toThrow('no compiler');
  const silent = createPool({ startMilliseconds: 300 }, 'setInterval(() => {}, 1000)');
  await expect(silent.run('wdc', '1')).rejects.toThrow('A sandbox is too slow to start');
});
