import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { commit } from './commit.mjs';
import { median, memoryText, percentile, startProcess } from '../measure.mjs';
import { storeOf } from '../stores.mjs';

const answerMilliseconds = 5;
const rounds = 3;
/** Half of the container's limit of 384 MB, which is V8's default there. */
const asInItsContainer = ['--max-old-space-size=192'];
const isolationRounds = 5;
const patience = 300_000;

const show = (text) => process.stdout.write(`${text}\n`);
const option = (options, name, fallback) => Number(text(options, name) ?? fallback);

const text = (options, name) => options.find((one) => one.startsWith(`--${name}=`))?.slice(`--${name}=`.length);

/** Sends, waits until the receiver has every id, and counts duplicates. */
async function deliver({ service, sender, receiver, store }, what) {
  await receiver.call('clear');
  const [cpu, storeCpu] = [await service.call('cpu'), await store.cpu()];
  const { started, sent } = await sender.call('send', what);
  const giveUpAt = Date.now() + patience;
  const awaited = what.awaited ?? sent.length;
  while ((await receiver.call('count')) < awaited && Date.now() < giveUpAt) await pause(20);
  const arrivals = new Map((await receiver.call('arrivals')).map(([id, at, calls]) => [id, { at, calls }]));
  const last = Math.max(...[...arrivals.values()].map(({ at }) => at));
  while (!what.awaited && (await service.call('unfinished')) > 0 && Date.now() < giveUpAt) await pause(20);
  const used = (await service.call('cpu')) - cpu;
  const usedByStore = (await store.cpu()) - storeCpu;
  return {
    perSecond: (sent.length / (last - started)) * 1000,
    cpu: used / sent.length,
    storeCpu: usedByStore / sent.length,
    lost: sent.filter(([id]) => !arrivals.has(id)).length,
    twice: [...arrivals.values()].filter(({ calls }) => calls > 1).length,
    /** By receiver, sorted. */
    latencies: (of) =>
      sent
        .filter(([id, , index]) => arrivals.has(id) && of(index))
        .map(([id, at]) => arrivals.get(id).at - at)
        .sort((a, b) => a - b),
  };
}

const line = (name, { perSecond, cpu, storeCpu, lost, twice }) =>
  show(
    `${name}: ${perSecond.toFixed(0)}/s, ${cpu.toFixed(0)} µs CPU of the service and ${storeCpu.toFixed(0)} µs of the store each, ${lost} lost, ${twice} twice`,
  );

async function throughput(sides, name, what) {
  const results = [];
  for (let round = 0; round < rounds; round += 1) results.push(await deliver(sides, what));
  line(name, {
    perSecond: median(results.map((one) => one.perSecond)),
    cpu: median(results.map((one) => one.cpu)),
    storeCpu: median(results.map((one) => one.storeCpu)),
    lost: results.reduce((sum, one) => sum + one.lost, 0),
    twice: results.reduce((sum, one) => sum + one.twice, 0),
  });
}

function latency(name, { latencies, lost }, of = () => true) {
  const all = latencies(of);
  const at = (share) => percentile(all, share);
  show(`${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, ${lost} not arrived`);
  return at(0.95);
}

/** The effect of one hanging receiver of ten on the others; in turns, so that background load cancels out. */
async function isolation(sides, well, hanging) {
  const count = 1_000;
  const about = { count, perSecond: 100, atOnce: count };
  const sets = {
    'ten receivers that are well': { ...about, uris: well, awaited: count },
    'nine beside one that hangs': { ...about, uris: [...well.slice(1), hanging], awaited: (count / 10) * 9 },
  };
  const found = Object.fromEntries(Object.keys(sets).map((name) => [name, []]));
  for (let round = 0; round < isolationRounds; round += 1) {
    for (const [name, what] of Object.entries(sets)) {
      const { latencies } = await deliver(sides, what);
      found[name].push(
        percentile(
          latencies((index) => index < 9),
          0.95,
        ),
      );
    }
  }
  for (const [name, all] of Object.entries(found)) show(`${name}: p95 ${median(all)} ms (${all.join(', ')})`);
  const [before, after] = Object.values(found).map(median);
  show(`growth of the 95th percentile: ${(after / before).toFixed(2)}`);
}

/** Prints what it measures; with `file`, also a CPU profile. */
async function profiled({ service }, file, measure) {
  if (file) await service.call('profile');
  await measure();
  if (file) await service.call('profiled', { file });
}

/** Complete deliveries, from the request on the broker to the result in the store. */
export async function run(options) {
  const amqpUrl = process.env.AMQP_URL;
  if (!amqpUrl) return withRabbitmq(options);
  const count = option(options, 'count', 10_000);
  const store = await storeOf(options);
  const receiver = await startProcess(new URL('./receiver.mjs', import.meta.url));
  const sender = await startProcess(new URL('./sender.mjs', import.meta.url));
  const service = await startProcess(new URL('./service.mjs', import.meta.url), asInItsContainer);
  await service.call('start', { mongodbUrl: await store.url('webhook-delivery'), amqpUrl });
  await sender.call('start', { amqpUrl });
  const delays = [...Array.from({ length: 10 }, () => answerMilliseconds), 60_000];
  const uris = await receiver.call('open', { delays });
  const [one] = uris;
  const sides = { service, sender, receiver, store };

  const scenarios = {
    // The names are those that `--only=` accepts.
    plain: () => throughput(sides, 'one receiver', { uris: [one], count }),
    signed: () => throughput(sides, 'one receiver, signed ES256', { uris: [one], count, signed: true }),
    async latency() {
      latency('100 events/s', await deliver(sides, { uris: [one], count: 2_000, perSecond: 100, atOnce: 2_000 }));
    },
    async burst() {
      const size = option(options, 'burst', 50_000);
      await service.call('memory');
      line(`a burst of ${size}`, await deliver(sides, { uris: [one], count: size, atOnce: 1_000 }));
      show(`most memory: ${((await service.call('memory')) / 1_048_576).toFixed(0)} MB`);
    },
    async log() {
      for (const stored of [100, option(options, 'stored', 1_000_000)]) {
        const all = await service.call('fill', { count: stored });
        await throughput(sides, `one receiver, ${all} deliveries stored`, { uris: [one], count });
      }
    },
    commit: () =>
      commit(show, store, {
        changes: option(options, 'changes', 2_000),
        perSecond: option(options, 'per-second', 100),
      }),
    isolation: () => isolation(sides, uris.slice(0, 10), uris[10]),
  };
  const only = text(options, 'only')?.split(',');
  await deliver(sides, { uris: [one], count: 1_000 });
  for (const [name, measure] of Object.entries(scenarios)) {
    if (!only || only.includes(name)) await profiled(sides, text(options, 'profile'), measure);
  }
  show(`memory (PSS): ${memoryText({ service: service.pid, store: store.pid })}`);
  for (const side of [service, sender, receiver, store]) side.stop();
}

/** Runs the same again with its own RabbitMQ. */
function withRabbitmq(options) {
  const again = ['scripts/rabbitmq.mjs', '--', process.execPath, 'bench/main.mjs', 'delivery', ...options];
  process.exitCode = spawnSync(process.execPath, again, { stdio: 'inherit' }).status ?? 1;
}
