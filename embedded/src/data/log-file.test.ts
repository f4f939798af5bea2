import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLogFile } from './log-file';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'itsm-log-file-'));
  path = join(directory, 'platform.log');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);

test('the file is rotated while it is written, and three files are kept', () => {
  const log = openLogFile(path, { bytes: 100 });
  for (let number = 0; number < 100; number += 1) expect(log.write(`line ${number}`.padEnd(24, '.'))).toBe(true);
  const files = [`${path}.2`, `${path}.1`, path];
  expect(files.flatMap(linesOf).map((line) => Number(line.split(/[ .]/)[1]))).toEqual(
    Array.from({ length: 12 }, (_, index) => 88 + index),
  );
  for (const file of files) expect(statSync(file).size).toBeLessThanOrEqual(100);
  expect(existsSync(`${path}.3`)).toBe(false);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a line longer than a whole file is written, alone', () => {
  const log = openLogFile(path, { bytes: 100 });
  log.write('short');
  log.write('x'.repeat(500));
  log.write('short again');
  expect([`${path}.2`, `${path}.1`, path].map((file) => linesOf(file).length)).toEqual([1, 1, 1]);
});

test('on a full disk lines are dropped, and their number is written when there is room again', () => {
  symlinkSync('/dev/full', path);
  const log = openLogFile(path);
  for (const line of ['a', 'b', 'c']) expect(log.write(line)).toBe(false);
  rmSync(path);
  expect(log.write('d')).toBe(true);
  expect(log.write('e')).toBe(true);
  const [report, ...rest] = linesOf(path);
  expect(JSON.parse(report ?? '')).toMatchObject({ level: 'warn', lines: 3 });
  expect(rest).toEqual(['d', 'e']);
});

test('a file that cannot be opened or put aside stops nothing', () => {
  const inside = join(directory, 'later', 'platform.log');
  const log = openLogFile(inside, { bytes: 10 });
  expect(log.write('early')).toBe(false);
  mkdirSync(join(directory, 'later'));
  expect(log.write('0123456789')).toBe(true);
  mkdirSync(`${inside}.2`);
  mkdirSync(join(`${inside}.2`, 'in the way'));
  log.write('0123456789');
  expect(log.write('0123456789')).toBe(false);
  rmSync(`${inside}.2`, { recursive: true });
  expect(log.write('after')).toBe(true);
});

test('a deleted file is begun again', () => {
  const log = openLogFile(path);
  log.write('before');
  rmSync(path);
  log.write('after');
  expect(linesOf(path)).toEqual(['after']);
});
