import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import type { Collection } from 'mongodb';
import { startEmbeddedMongo } from './server';

interface Row {
  readonly _id: number;
  readonly text: string;
  readonly n?: number;
}

let directory: string;
let child: ChildProcess | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'embedded-full-'));
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

const run = promisify(execFile);
/** Limits the file size of a process. A write beyond the limit fails as on a full disk. */
const limitFiles = (process: ChildProcess, bytes: number | 'unlimited') =>
  run('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);

const text = 'x'.repeat(500);

/** Inserts until the server refuses. Returns the acknowledged ids. */
async function insertUntilRefused(rows: Collection<Row>, first: number): Promise<number[]> {
  const acknowledged: number[] = [];
  for (let id = first; ; id += 1) {
    try {
      await rows.insertOne({ _id: id, text });
      acknowledged.push(id);
    } catch {
      return acknowledged;
    }
  }
}

const idsOf = async (rows: Collection<Row>) => (await rows.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);

test('a write beyond the file size limit is rolled back, and writes succeed again without the limit', async () => {
  child = spawn(process.execPath, [join(__dirname, 'test-process.cjs'), directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const client = await MongoClient.connect(url.toString().trim(), { retryWrites: false });
  const rows = client.db('app').collection<Row>('rows');
  await rows.createIndex({ n: 1 });
  await limitFiles(child, 100_000);
  const acknowledged = await insertUntilRefused(rows, 0);
  expect(acknowledged.length).toBeGreaterThan(50);
  expect(await idsOf(rows)).toEqual(acknowledged);
  await expect(rows.updateMany({}, { $set: { n: 1 } })).rejects.toMatchObject({
    codeName: 'OutOfDiskSpace',
    message: expect.stringContaining('the change was rolled back') as unknown,
  });
  await expect(rows.insertMany([1, 2, 3].map((n) => ({ _id: 1e6 + n, text })))).rejects.toThrow('rolled back');
  await expect(rows.createIndex({ text: 1, n: 1 }, { name: text })).rejects.toThrow('rolled back');
  // What changes nothing waits with the refused change, and is not refused for it.
  const refused = Array.from({ length: 20 }, (_none, n) => [
    expect(rows.insertOne({ _id: 3e6 + n, text })).rejects.toThrow('rolled back'),
    expect(rows.createIndex({ n: 1 })).resolves.toBe('n_1'),
    expect(rows.updateOne({ _id: -1 }, { $set: { n: 1 } })).resolves.toMatchObject({ modifiedCount: 0 }),
  ]);
  await Promise.all(refused.flat());
  await expect(client.db('other').collection('rows').insertOne({ text })).rejects.toThrow('rolled back');
  expect(await rows.countDocuments({ n: 1 })).toBe(0);
  expect(await rows.countDocuments({ n: { $exists: false } })).toBe(acknowledged.length);
  expect(await idsOf(rows)).toEqual(acknowledged);
  expect((await rows.indexes()).map(({ name }) => name)).toEqual(['_id_', 'n_1']);
  expect(await client.db('other').listCollections().toArray()).toEqual([]);

  await limitFiles(child, 'unlimited');
  await rows.insertOne({ _id: 2e6, text });
  await rows.deleteOne({ _id: 0 });
  const after = [...acknowledged.slice(1), 2e6];
  expect(await idsOf(rows)).toEqual(after);
  await client.close();
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;

  const again = await startEmbeddedMongo({ directory });
  const reader = await MongoClient.connect(again.url);
  expect(await idsOf(reader.db('app').collection<Row>('rows'))).toEqual(after);
  await reader.close();
  await again.close();
});
