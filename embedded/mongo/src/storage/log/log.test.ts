import { copyFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode, decodePlain } from '../../documents/document';
import { openStore } from '../store';
import type { Store } from '../store';

let directory: string;
let log: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'embedded-log-'));
  log = join(directory, 'data.log');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function withStore<T>(use: (store: Store) => T | Promise<T>): Promise<T> {
  const store = await openStore(directory);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

const idsIn = ({ catalog }: Store): unknown[] =>
  [...(catalog.find('app', 'rows')?.records.values() ?? [])].map((raw) => decodePlain(raw)['_id']);

async function insertRows(ids: readonly number[]): Promise<void> {
  await withStore(({ catalog }) => {
    for (const id of ids) catalog.obtain('app', 'rows').insert(encode({ _id: id, text: 'x'.repeat(20) }));
  });
}

test('a last entry cut off at any byte is dropped, and nothing before it', async () => {
  await insertRows([1, 2]);
  const before = (await stat(log)).size;
  await insertRows([3]);
  const whole = (await stat(log)).size;
  await copyFile(log, `${log}.copy`);
  for (let size = before; size < whole; size += 1) {
    await copyFile(`${log}.copy`, log);
    await truncate(log, size);
    expect(await withStore(idsIn)).toEqual([1, 2]);
    expect((await stat(log)).size).toBe(before);
  }
  await copyFile(`${log}.copy`, log);
  expect(await withStore(idsIn)).toEqual([1, 2, 3]);
});

test('a log cut off anywhere opens with a beginning of what was written, and goes on', async () => {
  await insertRows([1]);
  const bytes = await readFile(log);
  for (let size = 0; size < bytes.length; size += 1) {
    await writeFile(log, bytes.subarray(0, size));
    expect(await withStore(idsIn)).toEqual([]);
    await insertRows([7]);
    expect(await withStore(idsIn)).toEqual([7]);
  }
});

test('a changed byte before the last entry is a clear error', async () => {
  await insertRows([1, 2, 3]);
  const bytes = await readFile(log);
  for (const at of [10, 40, 130, 150]) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] as number) ^ 0x40;
    await writeFile(log, damaged);
    await expect(openStore(directory)).rejects.toThrow(/is damaged at byte \d+; restore it from a backup/);
  }
});

test('a file that is no log is left alone', async () => {
  await writeFile(log, 'my precious diary');
  await expect(openStore(directory)).rejects.toThrow('is not a data log of this program');
  expect(await readFile(log, 'utf8')).toBe('my precious diary');
});

test('the log is rewritten while writes go on, and every write is in it', async () => {
  const text = 'x'.repeat(4000);
  const rounds = 120;
  await withStore(async ({ catalog, journal }) => {
    const rows = catalog.obtain('app', 'rows');
    const records = Array.from({ length: 100 }, (_, id) => rows.insert(encode({ _id: id, n: 0, text })));
    for (let n = 1; n <= rounds; n += 1) {
      records.forEach((record, id) => rows.replace(record, encode({ _id: id, n, text })));
      await journal.flushed(false);
    }
  });
  expect((await stat(log)).size).toBeLessThan(rounds * 100 * 4000 * 0.5);
  await withStore(({ catalog }) => {
    const rows = [...(catalog.find('app', 'rows')?.records.values() ?? [])].map(decodePlain);
    expect(rows).toHaveLength(100);
    expect(rows.every(({ n }) => n === rounds)).toBe(true);
  });
});
