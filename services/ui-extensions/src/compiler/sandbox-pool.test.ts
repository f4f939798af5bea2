import { execFileSync } from 'node:child_process';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import { createSandboxPool } from './sandbox-pool';
import type { PoolLimits, SandboxPool } from './sandbox-pool';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A sandbox that evaluates each job as code and answers with its process id.
const serveSandbox = join(__dirname, '../../dist/compiler/serve-sandbox.js');
const evaluator = `require(${JSON.stringify(serveSandbox)}).serveSandbox((job) => [process.pid, (0, eval)(job)]);`;
/** A sandbox that only answers with the CPU limit of the job. */
const limitReporter = `
  process.on('message', ({ cpuMilliseconds }) =>
    process.send({ kind: 'done', result: [process.pid, cpuMilliseconds] }));
  process.send({ kind: 'ready' });`;

beforeAll(() => {
  execFileSync(process.execPath, [join(__dirname, '../../../../scripts/build.mjs')]);
});

type Result = readonly [pid: number, value: unknown];

const usual: PoolLimits = {
  sandboxes: 2,
  memoryMegabytes: 64,
  jobCpuMilliseconds: 1_000,
  firstJobCpuMilliseconds: 1_000,
  jobMilliseconds: 120_000,
  startMilliseconds: 100_000,
  waiting: 50,
  waitingOfOwner: 30,
  waitMilliseconds: 10_000,
};

const directory = mkdtempSync(join(tmpdir(), 'sandboxes-'));
/** The reasons passed to `onLost`. */
const lost: string[] = [];
beforeEach(() => void lost.splice(0));
const pools: SandboxPool<string, Result>[] = [];
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  rmSync(directory, { recursive: true });
});

function createPool(given: Partial<PoolLimits> = {}, code = evaluator): SandboxPool<string, Result> {
  const limits = {
    ...usual,
    firstJobCpuMilliseconds: given.jobCpuMilliseconds ?? usual.firstJobCpuMilliseconds,
    ...given,
  };
  const script = join(directory, `${pools.length}.cjs`);
  writeFileSync(script, code);
  const pool = createSandboxPool<string, Result>(script, limits, (reason) => lost.push(reason));
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
  ['too much work', forever],
  ['too large', 'const all = []; for (;;) all.push(1)'],
  ['too large', 'let text = "é"; for (;;) text = [text, text].join("")'],
])('a job that is %s ends its sandbox; the next job finds a new one', async (kind, job) => {
  const pool = createPool({ jobCpuMilliseconds: kind === 'too much work' ? 300 : 10_000 });
  const [pid] = await resultOf(pool, '1');
  expect(await pool.run('wdc', job)).toEqual({ kind });
  const [next] = await resultOf(pool, '1');
  expect(next).not.toBe(pid);
  expect(isAlive(pid)).toBe(false);
});

test('the first job of a sandbox has a higher CPU limit', async () => {
  const pool = createPool({ jobCpuMilliseconds: 50, firstJobCpuMilliseconds: 10_000 }, limitReporter);
  const limits = [await resultOf(pool, 'first'), await resultOf(pool, 'second'), await resultOf(pool, 'third')];
  expect(limits.map(([, milliseconds]) => milliseconds)).toEqual([10_000, 50, 50]);
});

test('time that a job waits for the processor does not count against its limit', async () => {
  const pool = createPool({ jobCpuMilliseconds: 300 });
  const [pid] = await resultOf(pool, '1');
  const slow = pool.run('wdc', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)');
  process.kill(pid, 'SIGSTOP');
  // Another job uses the processor up to its limit.
  expect(await pool.run('acme', forever)).toEqual({ kind: 'too much work' });
  process.kill(pid, 'SIGCONT');
  expect(await slow).toEqual({ kind: 'done', result: [pid, 'timed-out'] });
});

test('a job that exceeds the wall-clock limit is refused as overload', async () => {
  const pool = createPool({ jobMilliseconds: 500 });
  await expect(pool.run('wdc', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)')).rejects.toMatchObject(
    unavailable,
  );
  expect(lost).toEqual(['it was too slow']);
});

test.each([
  ['process.exit(3)', /3/],
  ['process.kill(process.pid, "SIGKILL"); for (;;) {}', /SIGKILL/],
])('a job whose sandbox is lost (%s) is refused as overload, and said why; the next job works', async (job, reason) => {
  const pool = createPool();
  await expect(pool.run('wdc', job)).rejects.toMatchObject(unavailable);
  expect(lost).toEqual([expect.stringMatching(reason)]);
  expect((await resultOf(pool, '4'))[1]).toBe(4);
});

test('a job that throws is an internal fault; the next job works', async () => {
  const pool = createPool();
  await expect(pool.run('wdc', 'throw new Error("oops")')).rejects.toThrow('oops');
  expect((await resultOf(pool, '4'))[1]).toBe(4);
});

test('a sandbox that ends while it is idle is replaced', async () => {
  const pool = createPool();
  const [pid] = await resultOf(pool, '1');
  process.kill(pid, 'SIGKILL');
  await waitUntil('the sandbox to have gone', () => !isAlive(pid));
  expect((await resultOf(pool, '2'))[0]).not.toBe(pid);
});

test('one owner occupies one sandbox, so that another owner is served', async () => {
  const pool = createPool({ jobCpuMilliseconds: 5_000 });
  const slow = [pool.run('wdc', forever), pool.run('wdc', forever)];
  const ended = Promise.allSettled(slow);
  expect((await resultOf(pool, '1', 'acme'))[1]).toBe(1);
  await pool.close();
  expect(await ended).toEqual([
    { status: 'rejected', reason: expect.objectContaining(unavailable) as unknown },
    { status: 'rejected', reason: expect.objectContaining(unavailable) as unknown },
  ]);
});

test('jobs beyond the queue limit are refused at once, and those that wait too long after the wait limit', async () => {
  const pool = createPool({ waitingOfOwner: 1, waiting: 2, waitMilliseconds: 300, jobCpuMilliseconds: 2_000 });
  // Wait for the start: on a busy machine it may take longer than the wait limit of this test.
  await waitUntil('the sandbox to have started', () => pool.run('wdc', '1').catch(() => false));
  const running = pool.run('wdc', forever);
  const waiting = pool.run('wdc', '1');
  await expect(pool.run('wdc', '1')).rejects.toMatchObject(unavailable);
  await expect(waiting).rejects.toMatchObject(unavailable);
  expect(await running).toEqual({ kind: 'too much work' });
});

test('closing ends every sandbox, also a busy one, and takes no more jobs', async () => {
  const pool = createPool({ jobCpuMilliseconds: 60_000 });
  const [pid] = await resultOf(pool, '1');
  const busy = expect(pool.run('wdc', forever)).rejects.toMatchObject(unavailable);
  await pool.close();
  await busy;
  expect(isAlive(pid)).toBe(false);
  await expect(pool.run('wdc', '1')).rejects.toMatchObject(unavailable);
});

test('closing while the first sandbox starts leaves no job waiting', async () => {
  const pool = createPool();
  const waiting = expect(pool.run('wdc', '1')).rejects.toMatchObject(unavailable);
  await pool.close();
  await waiting;
});

test('a job waits for a first sandbox as long as that may take to start', async () => {
  const slow = createPool(
    { waitMilliseconds: 10 },
    `setTimeout(() => { require(${JSON.stringify(serveSandbox)}).serveSandbox((job) => [process.pid, (0, eval)(job)]) }, 500);`,
  );
  expect((await slow.run('wdc', '1 + 1')).kind).toBe('done');
});

test('when no sandbox starts, jobs are refused as overload and the reason is reported', async () => {
  const broken = createPool({}, 'throw new Error("no compiler")');
  await expect(broken.run('wdc', '1')).rejects.toMatchObject({ ...unavailable, cause: expect.any(Error) as Error });
  const silent = createPool({ startMilliseconds: 300 }, 'setInterval(() => {}, 1000)');
  await expect(silent.run('wdc', '1')).rejects.toMatchObject(unavailable);
  expect(lost).toEqual([expect.stringContaining('no compiler'), 'Error: A sandbox did not start: it was too slow']);
});
