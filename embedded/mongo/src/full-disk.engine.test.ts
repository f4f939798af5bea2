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
  await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
});
afterEach(async () => {
  await run('umount', [disk]);
  await rm(disk, { recursive: true });
});

test('on a full disk a refused write is rolled back, and writes succeed again when there is space', async () => {
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
  await expect(fill()).rejects.toThrow('ENOSPC');
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
