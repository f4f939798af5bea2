import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../scripts/engine.mjs';
import { initiateReplicaSet, mongodParameters, onLoopback } from '../scripts/mongodb-settings.mjs';
import { findMongod } from '../scripts/mongodb-program.mjs';
import { familyOf, startProcess } from './measure.mjs';

/**
 * The store of `--store=mongodb` (default) or `--store=embedded`. `--journal=5` sets MongoDB's journal interval in
 * milliseconds, as in docker-compose.yml; the default is 100.
 */
export function storeOf(options) {
  if (options.includes('--store=embedded')) return startEmbedded();
  const given = options.find((one) => one.startsWith('--journal='));
  return startMongodb(given ? { journalMilliseconds: Number(given.slice('--journal='.length)) } : {});
}

/** Options of a node that stands alone, as in docker-compose.yml: it writes its journal each 5 ms. */
export const asInCompose = { journalMilliseconds: 5 };

/**
 * A MongoDB in a separate process, a replica set of one: `url(database)`, `cpu()` in microseconds since its start,
 * `pid`, `stop()`.
 */
export async function startMongodb({ journalMilliseconds = 100 } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'itsm-bench-mongodb-'));
  const [port] = await freePorts(1);
  const parameters = mongodParameters(directory, port, { cacheGigabytes: 4, journalMilliseconds });
  const server = spawn(findMongod(), parameters, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise((_resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`mongod ended with ${code}`)));
  });
  ended.catch(() => undefined);
  const stop = () => {
    server.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  };
  process.once('exit', stop);
  // Nothing answers for one that has ended, such as for its arguments.
  await Promise.race([initiateReplicaSet([onLoopback(port)]), ended]);
  return {
    name: 'mongodb',
    url: (database) => `mongodb://127.0.0.1:${port}/${database}?directConnection=true`,
    cpu: () => cpuOf(server.pid),
    pid: server.pid,
    stop,
  };
}

/** The embedded store: in memory, in a separate process. */
export async function startEmbedded() {
  const store = await startProcess(new URL('./embedded-store.mjs', import.meta.url), ['--max-old-space-size=14000']);
  const url = await store.call('url', { database: 'DATABASE' });
  return {
    name: 'embedded',
    url: (database) => url.replace('DATABASE', database),
    cpu: () => store.call('cpu'),
    pid: store.pid,
    stop: store.stop,
  };
}

/** Microseconds of all live threads: the first number of schedstat is nanoseconds on a core (Linux, sched-stats). */
export function cpuOf(pid) {
  const nanosecondsOf = (thread) => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    } catch {
      // The thread has ended since the listing.
      return 0;
    }
  };
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + nanosecondsOf(thread), 0) / 1_000;
}

/** The same of a process and its live descendants. */
export const cpuOfAll = (pid) => familyOf(pid).reduce((sum, one) => sum + cpuOf(one), 0);
