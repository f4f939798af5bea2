import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MongoClient } from 'mongodb';
import { startEmbeddedMongo } from './server';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'embedded-mongo-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function startProcess(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [join(__dirname, 'test-process.cjs'), directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return { child, url: url.toString().trim() };
}

interface Row {
  _id: string;
  n: number;
}

/** Kills the server during writes. Returns the last acknowledged number of each writer. */
async function writeUntilKilled(url: string, round: number, child: ChildProcess): Promise<Map<string, number>> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 500, socketTimeoutMS: 2000 });
  const rows = client.db('app').collection<Row>('rows');
  const acknowledged = new Map<string, number>();
  const writer = async (name: string, j: boolean): Promise<void> => {
    for (let n = 1; ; n += 1) {
      await rows.updateOne({ _id: name }, { $set: { n } }, { upsert: true, writeConcern: { w: 1, j } });
      acknowledged.set(name, n);
    }
  };
  const writers = [0, 1, 2, 3].map((i) => writer(`${round}-${i}`, i % 2 === 0).catch(() => undefined));
  while ([...acknowledged.values()].reduce((sum, n) => sum + n, 0) < 200 * round) await new Promise(setImmediate);
  // The sockets of a killed process close one by one, so the writers may be disconnected before the lock is free.
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  await Promise.all(writers);
  await client.close();
  return acknowledged;
}

test.each([
  ['in the data directory', ''],
  ['in a separate directory when that path is too long for a socket address', 'd'.repeat(120)],
])('the server listens on a socket that only its user can open, %s', async (_where, below) => {
  const data = join(directory, below);
  await mkdir(data, { recursive: true, mode: 0o755 });
  const store = await startEmbeddedMongo({ directory: data });
  const path = decodeURIComponent(store.url.slice('mongodb://'.length));
  const { mode } = await stat(path);
  expect([mode & 0o170_000, mode & 0o777]).toEqual([0o140_000, 0o600]);
  const folder = dirname(path);
  if (below === '') expect(folder).toBe(data);
  else expect((await stat(folder)).mode & 0o777).toBe(0o700);
  const client = await MongoClient.connect(store.urlOf('app'));
  await client.db().collection<Row>('rows').insertOne({ _id: 'a', n: 1 });
  await client.close();
  await store.close();
  await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('every acknowledged write survives repeated kill -9', async () => {
  const expected = new Map<string, number>();
  for (let round = 1; round <= 5; round += 1) {
    const { child, url } = await startProcess();
    for (const [name, n] of await writeUntilKilled(url, round, child)) expected.set(name, n);
    const server = await startEmbeddedMongo({ directory });
    const client = await MongoClient.connect(server.url);
    const rows = await client.db('app').collection<Row>('rows').find().toArray();
    for (const [name, n] of expected) expect(rows.find(({ _id: id }) => id === name)?.n).toBeGreaterThanOrEqual(n);
    await client.close();
    await server.close();
  }
});

test('collections, indexes and documents survive a restart in their order', async () => {
  const first = await startEmbeddedMongo({ directory });
  const before = await MongoClient.connect(first.url);
  const people = before.db('app').collection<{ _id: number; name: string }>('people');
  await people.createIndex({ name: 1 }, { unique: true, partialFilterExpression: { name: { $exists: true } } });
  await people.insertMany([3, 1, 2].map((id) => ({ _id: id, name: `n${id}` })));
  await people.deleteOne({ _id: 1 });
  await before.db('app').collection('gone').insertOne({ a: 1 });
  await before.db('app').dropCollection('gone');
  await before.close();
  await first.close();

  const second = await startEmbeddedMongo({ directory });
  const after = await MongoClient.connect(second.url);
  const again = after.db('app').collection<{ _id: number; name: string }>('people');
  expect((await again.find().toArray()).map(({ _id: id }) => id)).toEqual([3, 2]);
  expect(await again.indexes()).toContainEqual(expect.objectContaining({ name: 'name_1', unique: true }));
  await expect(again.insertOne({ _id: 9, name: 'n3' })).rejects.toMatchObject({ code: 11000 });
  expect(await after.db('app').listCollections().toArray()).toHaveLength(1);
  await after.close();
  await second.close();
});

test('two processes cannot open the same directory, but the lock of a dead process can be taken over', async () => {
  const { child } = await startProcess();
  await expect(startEmbeddedMongo({ directory })).rejects.toThrow('is in use by another process');
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  const server = await startEmbeddedMongo({ directory });
  await expect(startEmbeddedMongo({ directory })).rejects.toThrow('is in use by another process');
  await server.close();
});

test('a directory that is not writable is refused with one sentence', async () => {
  const file = join(directory, 'file');
  await writeFile(file, '');
  await expect(startEmbeddedMongo({ directory: join(file, 'data') })).rejects.toThrow(
    /^The data directory .* cannot be written \(ENOTDIR\)$/,
  );
});
