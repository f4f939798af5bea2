// Measures the server in a process of its own, through the official driver: node packages/embedded-mongo/bench/measure.mjs [ROWS]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { MongoClient } from 'mongodb';
import { row } from './row.cjs';

const total = Number(process.argv[2] ?? 100_000);
const directory = await mkdtemp(join(tmpdir(), 'embedded-bench-'));
const script = new URL('../src/test-process.cjs', import.meta.url).pathname;

async function start() {
  const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = await once(child.stdout, 'data');
  return { child, client: await MongoClient.connect(String(url).trim()) };
}

const report = (line) => process.stdout.write(`${line}\n`);

async function measure(name, count, work) {
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  report(`${name.padEnd(44)} ${Math.round(count / seconds)} per second (${count} in ${seconds.toFixed(2)} s)`);
}

async function concurrently(count, width, work) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

let { child, client } = await start();
let rows = client.db('bench').collection('rows');
await rows.createIndexes([
  { key: { account: 1, number: 1 }, unique: true },
  { key: { account: 1, status: 1, createdAt: -1 } },
  { key: { requestedBy: 1 } },
]);
await measure('insertMany of 1,000', total, async () => {
  for (let i = 0; i < total; i += 1000) await rows.insertMany(Array.from({ length: 1000 }, (_, k) => row(i + k)));
});
const ids = () => Math.floor(Math.random() * total);
await measure('findOne by _id, 16 at once', 10_000, () => concurrently(10_000, 16, () => rows.findOne({ _id: ids() })));
await measure('findOne by unique key, 16 at once', 10_000, () =>
  concurrently(10_000, 16, (i) => rows.findOne({ account: `account-${i % 20}`, number: i })),
);
await measure('page of 50 by account, status, newest first', 2000, () =>
  concurrently(2000, 16, (i) =>
    rows
      .find({ account: `account-${i % 20}`, status: 'open' })
      .sort({ createdAt: -1 })
      .limit(50)
      .toArray(),
  ),
);
await measure('updateOne, 16 at once', 10_000, () =>
  concurrently(10_000, 16, () => rows.updateOne({ _id: ids() }, { $set: { status: 'closed' }, $inc: { version: 1 } })),
);
await measure('updateOne with j: true, 64 at once', 5000, () =>
  concurrently(5000, 64, () => rows.updateOne({ _id: ids() }, { $inc: { version: 1 } }, { writeConcern: { j: true } })),
);
await measure('insertOne, 16 at once', 10_000, () => concurrently(10_000, 16, (i) => rows.insertOne(row(total + i))));
await measure('count without an index', total, () => rows.countDocuments({ subject: /floor 7 / }));
const memory = (await readFile(`/proc/${child.pid}/status`, 'utf8')).match(/VmRSS:\s+(\d+)/)?.[1];
report(`resident memory of the server ${Math.round(Number(memory) / 1024)} MB`);
await client.close();
child.kill('SIGKILL');
await once(child, 'exit');
await measure('open again', total, async () => {
  ({ child, client } = await start());
  rows = client.db('bench').collection('rows');
  await rows.findOne({ _id: 1 });
});
await client.close();
child.kill('SIGKILL');
await rm(directory, { recursive: true, force: true });
