import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { startEmbeddedMongo } from './server';

interface Row {
  readonly _id: number;
  readonly text: string;
}

const run = promisify(execFile);
let disk: string;
beforeEach(async () => {
  disk = await mkdtemp(join(tmpdir(), 'embedded-disk-'));
});
const mountDisk = (size: string) => run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]);
afterEach(async () => {
  await run('umount', [disk]);
  await rm(disk, { recursive: true });
});

test('on a full disk a refused write is rolled back, and writes succeed again when there is space', async () => {
  await mountDisk('1m');
  const ballast = join(disk, 'ballast');
  await writeFile(ballast, Buffer.alloc(512 * 1024));
  const directory = join(disk, 'data');
  const first = await startEmbeddedMongo({ directory });
  const client = await MongoClient.connect(first.url, { retryWrites: false });
  const rows = client.db('app').collection<Row>('rows');
  let acknowledged = 0;
  const fill = async (): Promise<void> => {
    for (;;) {
      await rows.insertOne({ _id: acknowledged, text: 'x'.repeat(1000) }, { writeConcern: { j: true } });
      acknowledged += 1;
    }
  };
  await expect(fill()).rejects.toMatchObject({ code: 14_031, message: expect.stringContaining('ENOSPC') as unknown });
  expect(acknowledged).toBeGreaterThan(100);
  expect(await rows.find().toArray()).toHaveLength(acknowledged);
  await rm(ballast);
  await rows.insertOne({ _id: 1e6, text: '' });
  await client.close();
  await first.close();

  const second = await startEmbeddedMongo({ directory });
  const reader = await MongoClient.connect(second.url);
  expect(await reader.db('app').collection('rows').countDocuments()).toBe(acknowledged + 1);
  await reader.close();
  await second.close();
});

test('a log that the disk has no room to compact is left alone until it has grown, and takes changes', async () => {
  // At 16 MB the log is worth compacting, but its live data of 3.5 MB do not fit beside it.
  await mountDisk('19m');
  let failures = 0;
  let noteFailure = (): void => undefined;
  const firstFailure = new Promise<void>((resolve) => (noteFailure = resolve));
  const warn = (message: string): void => {
    if (message !== 'the data log could not be compacted') return;
    failures += 1;
    noteFailure();
  };
  const server = await startEmbeddedMongo({ directory: disk, logger: { warn } });
  const client = await MongoClient.connect(server.url, { retryWrites: false });
  const rows = client.db('app').collection<Row>('rows');
  const set = (_id: number, text: string) => rows.updateOne({ _id }, { $set: { text } }, { upsert: true });
  for (let n = 0; n < 32; n += 1) await set(n % 7, String(n).padEnd(512 * 1024));
  await firstFailure;
  for (let n = 0; n < 500; n += 1) await set(99, String(n));
  expect(failures).toBe(1);
  await client.close();
  await server.close();
});
