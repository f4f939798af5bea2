import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { proportionalSize } from './measure.mjs';
import { asInCompose, cpuOf, startEmbedded, startMongodb } from './stores.mjs';

const load = createRequire(import.meta.url);
/** The journeys start the services as deployed. Their sources are read as jest does, since tests have no `dist`. */
const asSources = ['--conditions', '@itsm/source', '--require', 'esbuild-register'];

/** Runs this benchmark again in a child process that can read the sources; true when that has ended. */
export function hasRunFromSources(name, options) {
  if (process.execArgv.includes(asSources[1])) return false;
  const again = [...asSources, process.argv[1], name, ...options];
  process.exitCode = spawnSync(process.execPath, again, { stdio: 'inherit' }).status ?? 1;
  return true;
}

/**
 * Six processes with the deployed heaps, RabbitMQ, Redis and MongoDB, or the embedded store with `--store=embedded`
 * among the `options`; each of the six gets `settings`.
 * `tokensOf(account, people)` creates people with a personal token each; returns their ids and the headers of their
 * calls.
 */
export async function startPlatform(settings = {}, options = []) {
  const { startServiceProcesses } = load('../e2e/src/service-processes.ts');
  const { startBrokerAndRedis } = load('../e2e/src/operations/servers.ts');
  const { killGroups } = load('../e2e/src/operations/process-group.ts');
  const { startOperator } = load('../e2e/src/oauth/testing/operator.ts');
  const directory = mkdtempSync(join(tmpdir(), 'itsm-bench-platform-'));
  const isEmbedded = options.includes('--store=embedded');
  const store = await (isEmbedded ? startEmbedded() : startMongodb(asInCompose));
  const { rabbitmq, redis } = await startBrokerAndRedis(directory);
  const processes = await startServiceProcesses({
    mongoUrl: store.url,
    amqpUrl: rabbitmq.url,
    redisUrl: redis.url,
    settings: { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error', ...settings },
    settingsOf: (name) => ({ NODE_OPTIONS: nodeOptionsOf(name) }),
  });
  const { baseUrl, environment } = processes;
  const authFolder = new URL('../services/auth', import.meta.url).pathname;
  const operator = await startOperator(authFolder, { ...environment, MONGODB_URL: store.url('auth') });
  return {
    baseUrl,
    store,
    operator,
    async tokensOf(account, people) {
      await operator.ensureAccount(account);
      const made = { ids: [], tokens: [] };
      for (let n = 0; n < people; n += 1) {
        const person = await operator.createPerson(account);
        const { token } = await operator.createPersonalToken(person);
        made.ids.push(person.id);
        made.tokens.push({ Authorization: `Bearer ${token}`, 'X-Service-Account': account });
      }
      return made;
    },
    async stop() {
      await operator.child.stop();
      await processes.stop();
      killGroups();
      store.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** As deployed: the heap limit of each process on Kubernetes. */
export function nodeOptionsOf(name) {
  const deployment = readFileSync(new URL(`../k8s/services/${name}/deployment.yaml`, import.meta.url), 'utf8');
  return /name: NODE_OPTIONS, value: (.*?) \}/.exec(deployment)[1];
}

/** Polls `isDone` until it resolves with true; throws after a minute. */
export async function until(what, isDone) {
  for (let tries = 0; !(await isDone()); tries += 1) {
    if (tries > 300) throw new Error(`Not within a minute: ${what}`);
    await pause(200);
  }
}

/** Microseconds of each participating process, by name. */
export const processorTimes = () => sumByName(cpuOf);

/** Megabytes (PSS) of each participating process, by name. */
export const memoryByName = () => sumByName((pid) => proportionalSize(pid) / 1e6);

function sumByName(measure) {
  const sums = {};
  for (const pid of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const folder = readlinkSync(`/proc/${pid}/cwd`).split('/').at(-1);
      const program = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const name = command.includes('dist/main.js') ? folder : Number(pid) === process.pid ? 'bench' : program;
      if (isOfBench(Number(pid))) sums[name] = (sums[name] ?? 0) + measure(pid);
    } catch {
      // It has ended in the meantime.
    }
  }
  return sums;
}

function isOfBench(pid) {
  if (pid <= 1) return false;
  if (pid === process.pid) return true;
  return isOfBench(Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))[1]));
}
