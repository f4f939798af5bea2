import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import notWarped from './jest/not-warped.cjs';

const root = join(__dirname, '..');
let folder: string;
beforeEach(() => {
  // In the checkout, where imports of packages resolve.
  folder = mkdtempSync(join(root, 'scripts/planted-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What Jest prints of a planted suite, with the clock of `factor`. */
function run(factor: string, suite: string): { readonly status: number | null; readonly stderr: string } {
  writeFileSync(join(folder, 'planted.test.ts'), suite);
  const args = ['--config', 'jest.config.ts', '--runInBand', '--silent', `${folder}/planted.test.ts`];
  const env = { ...process.env, WARP: factor };
  return spawnSync(join(root, 'node_modules/.bin/jest'), args, { cwd: root, env, encoding: 'utf8' });
}

const clocks = /* ts */ `
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
test('all clocks and timers are those of the factor', async () => {
  const real = () => Number(process.hrtime.bigint()) / 1e6;
  const waits = [
    (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    (milliseconds: number) => new Promise((resolve) => { const timer = setInterval(() => { clearInterval(timer); resolve(0); }, milliseconds); }),
    (milliseconds: number) => promisify(setTimeout)(milliseconds),
    (milliseconds: number) => pause(milliseconds),
  ];
  for (const wait of waits) {
    // A timer counts from the beginning of the turn in which it is set.
    await new Promise(setImmediate);
    const [began, beganAt, realAt] = [Date.now(), performance.now(), real()];
    // Node's own timer, which is not faster. Timers that are late run in the order in which they were due.
    const ordinary = AbortSignal.timeout(1_900);
    await wait(2_000);
    const took = real() - realAt;
    expect(ordinary.aborted).toBe(false);
    for (const passed of [Date.now() - began, new Date().getTime() - began, performance.now() - beganAt]) {
      expect(passed).toBeGreaterThanOrEqual(1_000);
      expect(passed / took).toBeGreaterThan(10);
    }
  }
});
test('dates are dates', () => {
  expect(new Date(5)).toBeInstanceOf(Date);
  expect(new Date(5).getTime()).toBe(5);
  expect(Date.UTC(1970, 0, 1)).toBe(0);
  expect(new Date(2026, 0, 1).getFullYear()).toBe(2026);
  expect(typeof Date()).toBe('string');
});`;

test('with WARP=20 the clocks and timers of a suite run 20 times as fast', () => {
  expect(run('20', clocks)).toMatchObject({ status: 0, stderr: expect.stringContaining('2 passed') });
});

test('a bound of real time, which a fast machine keeps, turns red with WARP=20', () => {
  // Work of half a second, which is to be done within nine and a half.
  const bound = /* ts */ `
test('work is done in time', async () => {
  const began = Date.now();
  const until = process.hrtime.bigint() + 500_000_000n;
  while (process.hrtime.bigint() < until);
  expect(Date.now() - began).toBeLessThan(9_500);
});`;
  expect(run('1', bound)).toMatchObject({ status: 0 });
  const warped = run('20', bound);
  expect(warped.status).toBe(1);
  // The reporter names the seed and the files before it in its worker.
  expect(warped.stderr).toMatch(/Red: scripts\/planted-\w+\/planted\.test\.ts, seed -?\d+, after no other file/);
});

test('a suite that is left out exists, and says why', () => {
  const gone = Object.keys(notWarped).filter((path) => !existsSync(join(root, path)));
  expect(gone).toEqual([]);
  for (const reason of Object.values(notWarped)) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
});
