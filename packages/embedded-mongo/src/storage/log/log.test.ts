import { copyFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode, decodePlain } from '../../documents/document';
import { endOf } from '../collection-index';
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

test('a last entry that is cut off at any byte is dropped, and the entries before it are kept', async () => {
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

test('a log that is cut off at any byte opens, and accepts writes', async () => {
  await insertRows([1]);
  const bytes = await readFile(log);
  for (let size = 0; size < bytes.length; size += 1) {
    await writeFile(log, bytes.subarray(0, size));
    expect(await withStore(idsIn)).toEqual([]);
    await insertRows([7]);
    expect(await withStore(idsIn)).toEqual([7]);
  }
});

test('a changed byte before the last entry is reported as damage', async () => {
  await insertRows([1, 2, 3]);
  const bytes = await readFile(log);
  for (const at of [10, 40, 130, 150]) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] as number) ^ 0x40;
    await writeFile(log, damaged);
    await expect(openStore(directory)).rejects.toThrow(/is damaged at byte \d+; restore it from a backup/);
  }
});

test('a file that is not a log is refused and not changed', async () => {
  await writeFile(log, 'my precious diary');
  await expect(openStore(directory)).rejects.toThrow('is not a data log of this program');
  expect(await readFile(log, 'utf8')).toBe('my precious diary');
});

test('the log is compacted while writes go on, and every write is in it', async () => {
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

test('indexes built on opening equal indexes that grew with the documents, entry by entry', async () => {
  const entriesIn = ({ catalog }: Store) =>
    [...(catalog.find('app', 'rows')?.indexes.values() ?? [])].map((index) => ({
      name: index.spec.name,
      entries: [...index.scan('', endOf(''), false)].map(([, record]) => idsAt(catalog, record)),
      count: index.count('', endOf('')),
      multikey: [index.isMultikey(), ...index.multikeyFields],
    }));
  const idsAt = (catalog: Store['catalog'], record: number): unknown =>
    decodePlain(catalog.find('app', 'rows')?.records.get(record) ?? Buffer.alloc(0))['_id'];
  const grown = await withStore((store) => {
    const rows = store.catalog.obtain('app', 'rows');
    rows.addIndex({ v: 2, name: 'group', key: { group: 1, at: -1 } });
    rows.addIndex({ v: 2, name: 'tags', key: { tags: 1 }, sparse: true });
    rows.addIndex({ v: 2, name: 'own', key: { own: 1 }, unique: true });
    for (let i = 0; i < 3000; i += 1) {
      const scattered = (i * 7919) % 3001;
      const tags = i % 3 === 0 ? {} : { tags: i % 3 === 1 ? 'é' : [`t${i % 11}`, scattered, `t${i % 11}`] };
      rows.insert(
        encode({ _id: scattered - 1500.5, group: `g${i % 7}`, at: new Date(scattered), own: `${scattered}`, ...tags }),
      );
    }
    for (let record = 1; record < 3000; record += 5) rows.remove(record);
    return entriesIn(store);
  });
  expect(grown.map(({ count }) => count)).toEqual([2400, 2400, expect.any(Number), 2400]);
  expect(await withStore(entriesIn)).toEqual(grown);
});
