// How evenly replicas share a queue: two of webhooks and three of webhook-delivery, as separate processes on one
// RabbitMQ and one MongoDB.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts, untilDone } from '../../scripts/engine.mjs';
import { startRabbitmq } from '../delivery/commit-platform.mjs';
import { createSupervisor } from '../delivery/commit-processes.mjs';
import { webhooks as registered } from '../events/registered.mjs';
import { percentile, startProcess } from '../measure.mjs';
import { storeOf } from '../stores.mjs';

const patience = 180_000;
/** The queues that both services consume. */
const watched = {
  webhooks: ['webhooks.fan-out', 'webhooks.attempt-batches'],
  delivery: ['webhook-delivery.deliveries'],
};
/** Half of the container's limit of 384 MB, which is V8's default there. */
const asInItsContainer = ['--max-old-space-size=192'];

async function startSides(directory, store, { webhooks: numberOfWebhooks, deliveries }) {
  const supervisor = createSupervisor(join(directory, 'logs'));
  const [amqp, node, mapper] = await freePorts(3);
  startRabbitmq(supervisor, directory, { amqp, node, mapper });
  const amqpUrl = `amqp://guest:guest@127.0.0.1:${amqp}`;
  const of = (file, options) => startProcess(new URL(file, import.meta.url), options);
  const many = (count, file) => Promise.all(Array.from({ length: count }, () => of(file, asInItsContainer)));
  const receiver = await of('../delivery/receiver.mjs');
  const sender = await of('../delivery/sender.mjs');
  const delivery = await many(deliveries, '../delivery/service.mjs');
  const webhooks = await many(numberOfWebhooks, '../events/webhooks.mjs');
  const [uri] = await receiver.call('open', { delays: [5] });
  for (const one of delivery) await one.call('start', { mongodbUrl: await store.url('shares-delivery'), amqpUrl });
  for (const [index, one] of webhooks.entries())
    await one.call('start', { mongodbUrl: await store.url('shares-webhooks'), amqpUrl, ...(index === 0 && { uri }) });
  await untilDone(async () => {
    await sender.call('open', { amqpUrl });
    await sender.call('sendEvents', { ...registered.plain, count: 1 });
  });
  return {
    receiver,
    sender,
    replicas: { webhooks, delivery },
    async stop() {
      for (const one of [...delivery, ...webhooks, sender, receiver]) one.stop();
      await supervisor.stop();
    },
  };
}

/** The number of messages that each replica took from each queue. */
async function countsOf({ webhooks, delivery }) {
  const ofAll = (replicas) => Promise.all(replicas.map((one) => one.call('handled')));
  return { webhooks: await ofAll(webhooks), delivery: await ofAll(delivery) };
}

async function deliver({ receiver, sender, replicas }, what) {
  await receiver.call('clear');
  const [known, before] = [await replicas.webhooks[0].call('delivered'), await countsOf(replicas)];
  const { sent } = await sender.call('sendEvents', { ...registered.plain, ...what });
  const giveUpAt = Date.now() + patience;
  const isDone = async () =>
    (await receiver.call('count')) >= sent.length &&
    (await replicas.webhooks[0].call('delivered')) >= known + sent.length;
  while (!(await isDone()) && Date.now() < giveUpAt) await pause(200);
  const after = await countsOf(replicas);
  const arrivals = new Map((await receiver.call('arrivals')).map(([id, at, calls]) => [id, { at, calls }]));
  const times = sent.filter(([id]) => arrivals.has(id)).map(([id, at]) => arrivals.get(id).at - at);
  times.sort((a, b) => a - b);
  const shares = Object.entries(watched).flatMap(([service, queues]) =>
    queues.map((queue) => ({
      queue,
      taken: after[service].map((one, index) => (one[queue] ?? 0) - (before[service][index][queue] ?? 0)),
    })),
  );
  const twice = [...arrivals.values()].filter(({ calls }) => calls > 1).length;
  return { shares, times, lost: sent.length - times.length, twice };
}

function report(name, { shares, times, lost, twice }) {
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(times, share));
  show(`\n${name}: p50 ${p50} ms, p99 ${p99} ms, ${lost} lost, ${twice} twice`);
  show('| queue | messages of each replica | least and most, of an even share |\n|---|---|---|');
  for (const { queue, taken } of shares) {
    const even = taken.reduce((sum, one) => sum + one, 0) / taken.length;
    const ends = [Math.min(...taken), Math.max(...taken)].map((one) => (one / even).toFixed(2));
    show(`| ${queue} | ${taken.join(', ')} | ${ends.join(', ')} |`);
  }
}

const option = (options, name, fallback) =>
  Number(options.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3) ?? fallback);
const show = (line) => process.stdout.write(`${line}\n`);

/**
 * `--webhooks=2 --deliveries=3` replicas; `--burst=5000` events as fast as possible, then `--few=1500` at
 * `--per-second=100`.
 */
export async function run(options) {
  const [burst, few, perSecond] = [
    option(options, 'burst', 5_000),
    option(options, 'few', 1_500),
    option(options, 'per-second', 100),
  ];
  const directory = mkdtempSync(join(tmpdir(), 'itsm-shares-'));
  const store = await storeOf(options);
  const replicas = { webhooks: option(options, 'webhooks', 2), deliveries: option(options, 'deliveries', 3) };
  const sides = await startSides(directory, store, replicas);
  try {
    await deliver(sides, { count: 2_000 });
    report(`a burst of ${burst}`, await deliver(sides, { count: burst }));
    report(`${perSecond} a second`, await deliver(sides, { count: few, perSecond, atOnce: few }));
  } finally {
    await sides.stop();
    store.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
