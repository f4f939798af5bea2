// The cost of rate limiting a call in Redis: the script that takes from a caller's windows and reads the revisions of
// two accounts.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, freePorts, waitUntilReady } from '../../scripts/engine.mjs';
import { drive, percentile } from '../measure.mjs';
import { cpuOf } from '../stores.mjs';

const load = createRequire(import.meta.url);
const shared = (path) => load(`../../shared/dist/${path}.js`);
const { connectRedisCoordination } = shared('stores/coordination/redis-coordination');
const { createLogger } = shared('observing/logs/logger');

const callers = 1_000;
const atOnce = 16;
const windowsOf = (caller) => [
  { key: `requests:2:{person:${caller}}`, limit: 1_000_000, seconds: 2, amount: 1 },
  { key: `requests:3600:{person:${caller}}`, limit: 1_000_000, seconds: 3_600, amount: 1 },
  { key: `cost:{person:${caller}}`, limit: 1_000_000, seconds: 3_600, amount: 0 },
];

export async function run(options) {
  const given = options.find((one) => one.startsWith('--calls='))?.slice('--calls='.length);
  const calls = Number(given ?? 50_000);
  const directory = mkdtempSync(join(tmpdir(), 'itsm-counters-'));
  const [port] = await freePorts(1);
  const server = findProgram(['redis-server'], 'Redis is not installed; on Debian: apt-get install redis-server');
  const redis = spawn(server, ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', directory]);
  process.once('exit', () => redis.kill('SIGKILL'));
  await waitUntilReady(redis, port, 'PING\r\n');
  const coordination = await connectRedisCoordination(`redis://127.0.0.1:${port}`, createLogger('bench', 'silent'));
  const take = (call) => coordination.take(windowsOf(call % callers), ['revision:account:a', 'revision:account:b']);
  await drive(Array(calls / 10).fill(0), atOnce, take);
  const before = [cpuOf(redis.pid), process.cpuUsage()];
  const { times } = await drive(
    Array.from({ length: calls }, (_, call) => call),
    atOnce,
    take,
  );
  const { user, system } = process.cpuUsage(before[1]);
  const each = (microseconds) => `${(microseconds / calls).toFixed(0)} µs`;
  const show = (line) => process.stdout.write(`${line}\n`);
  show(`Redis ${each(cpuOf(redis.pid) - before[0])} a script, the calling process ${each(user + system)}`);
  show(`p50 ${percentile(times, 0.5).toFixed(2)} ms, ${atOnce} at once`);
  await coordination.close();
  redis.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
}
