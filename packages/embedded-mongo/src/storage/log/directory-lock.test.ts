import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDirectory } from './directory-lock';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'embedded-lock-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test('exactly one of many concurrent attempts gets the lock, and its release leaves no file', async () => {
  for (let round = 0; round < 20; round += 1) {
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(directory)));
    const holders = tries.filter((one) => one.status === 'fulfilled');
    expect(holders).toHaveLength(1);
    await expect(lockDirectory(directory)).rejects.toThrow('is in use by another process');
    await holders[0]?.value();
    expect(await readdir(directory)).toEqual([]);
  }
});

test('a directory whose path is too long for a socket address can be locked', async () => {
  const deep = join(directory, 'd'.repeat(120), 'e'.repeat(120));
  await mkdir(deep, { recursive: true });
  const unlock = await lockDirectory(deep);
  await expect(lockDirectory(deep)).rejects.toThrow('is in use by another process');
  await unlock();
  await (
    await lockDirectory(deep)
  )();
  expect(await readdir(deep)).toEqual([]);
});
