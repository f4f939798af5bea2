// From an event on the broker to its receiver: webhooks, webhook-delivery, RabbitMQ and the store in separate
// processes, all counted.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts, untilDone } from '../../scripts/engine.mjs';
import { storeOf } from '../stores.mjs';
import { median, memoryText, percentile, startProcess } from '../measure.mjs';
import { startRabbitmq } from '../delivery/commit-platform.mjs';
import { createSupervisor } from '../delivery/commit-processes.mjs';
import { webhooks as registered } from './registered.mjs';

const answerMilliseconds = 5;
const patience = 180_000;
const idleSeconds = 20;
/** Half of the container's limit of 384 MB, which is V8's default there. */
const asInItsContainer = ['--max-old-space-size=192'];

/** Rejects until RabbitMQ listens, which means that it has started. */
const reach = (port) =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy()));
    socket.once('error', reject);
  });

/** The processes from an event to its receiver, with their own RabbitMQ and databases in `store`. */
export async function startSides(directory, store) {
  const supervisor = createSupervisor(join(directory, 'logs'));
  const [amqp, node, mapper] = await freePorts(3);
  startRabbitmq(supervisor, directory, { amqp, node, mapper });
  const amqpUrl = `amqp://guest:guest@127.0.0.1:${amqp}`;
  const of = (file, options) => startProcess(new URL(file, import.meta.url), options);
  const receiver = await of('../delivery/receiver.mjs');
  const sender = await of('../delivery/sender.mjs');
  const delivery = await of('../delivery/service.mjs', asInItsContainer);
  const webhooks = await of('./webhooks.mjs', asInItsContainer);
  await untilDone(() => reach(amqp), patience);
  const [uri] = await receiver.call('open', { delays: [answerMilliseconds] });
  await delivery.call('start', { mongodbUrl: await store.url('events-delivery'), amqpUrl });
  await webhooks.call('start', { mongodbUrl: await store.url('events-webhooks'), amqpUrl, uri });
  await untilDone(async () => {
    await sender.call('open', { amqpUrl });
    await sender.call('sendEvents', { ...registered.plain, count: 1 });
  });
  const parts = {
    webhooks: () => webhooks.call('cpu'),
    delivery: () => delivery.call('cpu'),
    store: () => store.cpu(),
    broker: () => supervisor.cpuOfAll('rabbitmq'),
  };
  return {
    uri,
    receiver,
    sender,
    delivery,
    webhooks,
    /** Microseconds by process. */
    async cpu() {
      const times = {};
      for (const [name, read] of Object.entries(parts)) times[name] = await read();
      return times;
    },
    pids: () => ({
      webhooks: webhooks.pid,
      delivery: delivery.pid,
      store: store.pid,
      broker: supervisor.pid('rabbitmq'),
    }),
    async stop() {
      for (const one of [delivery, webhooks, sender, receiver]) one.stop();
      await supervisor.stop();
    },
  };
}

const since = (before, after, share) =>
  Object.fromEntries(Object.keys(after).map((name) => [name, (after[name] - before[name]) / share]));
const sumOf = (used) => Object.values(used).reduce((sum, one) => sum + one, 0);

/**
 * Sends events that `webhook` is called for; waits until the receiver has all deliveries and the webhooks service has
 * their results.
 */
async function deliver(sides, { webhook = registered.plain, ...what }) {
  const { receiver, sender, delivery, webhooks } = sides;
  await receiver.call('clear');
  const [known, before] = [await webhooks.call('delivered'), await sides.cpu()];
  const { started, sent } = await sender.call('sendEvents', { ...webhook, ...what });
  const giveUpAt = Date.now() + patience;
  const all = async () =>
    (await receiver.call('count')) >= sent.length &&
    (await delivery.call('unfinished')) === 0 &&
    (await webhooks.call('delivered')) >= known + sent.length;
  while ((await receiver.call('count')) < sent.length && Date.now() < giveUpAt) await pause(20);
  while (!(await all()) && Date.now() < giveUpAt) await pause(100);
  const cpu = since(before, await sides.cpu(), sent.length);
  const arrivals = new Map((await receiver.call('arrivals')).map(([id, at, calls]) => [id, { at, calls }]));
  const times = sent.filter(([id]) => arrivals.has(id)).map(([id, at]) => arrivals.get(id).at - at);
  times.sort((a, b) => a - b);
  const last = Math.max(...[...arrivals.values()].map(({ at }) => at));
  return {
    cpu,
    total: sumOf(cpu),
    perSecond: (sent.length / (last - started)) * 1_000,
    lost: sent.length - times.length,
    untold: known + sent.length - (await webhooks.call('delivered')),
    twice: [...arrivals.values()].filter(({ calls }) => calls > 1).length,
    times: [0.5, 0.95, 0.99].map((share) => percentile(times, share)),
  };
}

const written = (cpu, digits) =>
  Object.entries(cpu)
    .map(([name, each]) => `${name} ${each.toFixed(digits)}`)
    .join(', ');

async function rounds(sides, name, { rounds: count, ...what }) {
  const results = [];
  for (let round = 0; round < count; round += 1) results.push(await deliver(sides, what));
  const { cpu, total, times } = [...results].sort((a, b) => a.total - b.total)[Math.floor(count / 2)];
  const sum = (of) => results.reduce((all, one) => all + one[of], 0);
  const rate = median(results.map(({ perSecond }) => perSecond));
  const [p50, p95, p99] = times;
  show(`${name}: ${rate.toFixed(0)}/s, ${total.toFixed(0)} µs CPU of everything for each event (${written(cpu, 0)})`);
  show(
    `  p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, ${sum('lost')} lost, ${sum('twice')} twice, ${sum('untold')} untold`,
  );
}

/** The share of a core that each part uses when idle. */
async function idle(sides) {
  // By then lease heartbeats have ended, and V8's garbage collection of idle processes is done.
  await pause(40_000);
  const before = await sides.cpu();
  await pause(idleSeconds * 1_000);
  show(`idle, % of a core: ${written(since(before, await sides.cpu(), idleSeconds * 10_000), 2)}`);
}

const text = (options, name) => options.find((one) => one.startsWith(`--${name}=`))?.slice(`--${name}=`.length);
const option = (options, name, fallback) => Number(text(options, name) ?? fallback);
const show = (line) => process.stdout.write(`${line}\n`);

/**
 * `--burst=0` or `--few=0` skips that part; `--signed` adds a burst of signed calls; `--profile=FILE` writes CPU
 * profiles of both services.
 */
export async function run(options) {
  const [burst, few] = [option(options, 'burst', 5_000), option(options, 'few', 1_500)];
  const [count, perSecond] = [option(options, 'rounds', 3), option(options, 'per-second', 100)];
  const profile = text(options, 'profile');
  const directory = mkdtempSync(join(tmpdir(), 'itsm-events-'));
  const store = await storeOf(options);
  const sides = await startSides(directory, store);
  try {
    await deliver(sides, { count: 2_000 });
    const profiled = ['webhooks', 'delivery'].filter(() => profile);
    for (const name of profiled) await sides[name].call('profile');
    if (burst > 0) await rounds(sides, `a burst of ${burst}`, { rounds: count, count: burst });
    const signed = { rounds: count, count: burst, webhook: registered.signed };
    if (options.includes('--signed')) await rounds(sides, `a burst of ${burst}, signed ES256`, signed);
    if (few > 0) await rounds(sides, `${perSecond}/s`, { rounds: count, count: few, perSecond, atOnce: few });
    for (const name of profiled) await sides[name].call('profiled', { file: `${profile}.${name}.cpuprofile` });
    show(`memory (PSS): ${memoryText(sides.pids())}`);
    if (few > 0) await idle(sides);
  } finally {
    await sides.stop();
    store.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
