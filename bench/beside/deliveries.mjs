// From a published event to its receiver: webhooks and webhook-delivery on MongoDB, beside Outpost on PostgreSQL and
// Redis, each with its own RabbitMQ.
import { setTimeout as pause } from 'node:timers/promises';
import { startSides } from '../events/bench.mjs';
import { webhooks } from '../events/registered.mjs';
import { percentile } from '../measure.mjs';
import { startMongodb } from '../stores.mjs';
import { countedOf, load, memoryOfParts, middleOf, partsText } from './figures.mjs';
import { startOutpost } from './outpost.mjs';
import { createPrograms, option, show } from './programs.mjs';

const settleMilliseconds = 3_000;
const patience = 120_000;
const idleSeconds = 20;

/** Sends, then waits for the receiver and for the results to be written. */
async function deliver({ parts, send }, receiver, what) {
  await receiver.call('clear');
  const counted = countedOf(parts);
  const { started, sent } = await send(what);
  const giveUpAt = Date.now() + patience;
  while ((await receiver.call('count')) < sent.length && Date.now() < giveUpAt) await pause(20);
  const arrivals = new Map((await receiver.call('arrivals')).map(([id, at, calls]) => [id, { at, calls }]));
  await pause(settleMilliseconds);
  const last = Math.max(...[...arrivals.values()].map(({ at }) => at));
  const arrived = sent.filter(([id]) => arrivals.has(id));
  const times = arrived.map(([id, at]) => arrivals.get(id).at - at).sort((a, b) => a - b);
  return {
    ...counted(sent.length),
    perSecond: (sent.length / (last - started)) * 1_000,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    p99: percentile(times, 0.99),
    lost: sent.length - times.length,
    twice: arrived.filter(([id]) => arrivals.get(id).calls > 1).length,
  };
}

function report(title, sides, name) {
  show(`\n${title}`);
  show('| side | events/s | CPU µs/event | parts | ours ÷ it | p50 ms | p95 ms | p99 ms | lost | twice |');
  show(`|${'---|'.repeat(10)}`);
  const own = middleOf(sides[0].rounds[name]).cpu;
  for (const side of sides.filter(({ rounds }) => rounds[name].length > 0)) {
    const { cpu, parts, perSecond, ...one } = middleOf(side.rounds[name]);
    const sum = (of) => side.rounds[name].reduce((all, round) => all + round[of], 0);
    const cells = [perSecond.toFixed(0), cpu.toFixed(0), partsText(parts), (own / cpu).toFixed(2)];
    show(`| ${[side.name, ...cells, one.p50, one.p95, one.p99, sum('lost'), sum('twice')].join(' | ')} |`);
  }
}

async function startOurs(programs) {
  const store = await startMongodb();
  const ours = await startSides(programs.directory, store);
  const side = (name, webhook) => ({
    name,
    parts: ours.pids(),
    send: (what) => ours.sender.call('sendEvents', { ...webhook, ...what }),
  });
  return {
    receiver: ours.receiver,
    uri: ours.uri,
    sides: [side('ours', webhooks.plain), { ...side('ours, signed ES256', webhooks.signed), burstOnly: true }],
    async stop() {
      await ours.stop();
      store.stop();
    },
  };
}

/** `--rounds=`, `--burst=` concurrent events, `--few=` events at `--per-second=`; 0 skips a part. */
export async function run(options) {
  const [rounds, burst] = [option(options, 'rounds', 3), option(options, 'burst', 5_000)];
  const [few, perSecond] = [option(options, 'few', 1_000), option(options, 'per-second', 100)];
  const programs = createPrograms('events');
  const ours = await startOurs(programs);
  const outpost = await startOutpost(ours.uri);
  const sides = [...ours.sides, ...(outpost?.sides ?? [])].map((side) => ({
    ...side,
    rounds: { burst: [], paced: [] },
  }));
  for (const side of sides) await deliver(side, ours.receiver, { count: 1_000 });
  for (let number = 1; number <= rounds; number += 1) {
    for (const side of sides) {
      if (burst > 0) side.rounds.burst.push(await deliver(side, ours.receiver, { count: burst }));
      const paced = { count: few, perSecond, atOnce: few };
      if (few > 0 && !side.burstOnly) side.rounds.paced.push(await deliver(side, ours.receiver, paced));
    }
    show(`round ${number} of ${rounds}, ${load()}`);
  }
  if (burst > 0) report(`a burst of ${burst}, medians of ${rounds} rounds`, sides, 'burst');
  if (few > 0) report(`${few} events, ${perSecond} a second, medians of ${rounds} rounds`, sides, 'paced');
  const seen = [ours.sides[0], ...(outpost ? [outpost.sides[0]] : [])];
  for (const { name, parts } of seen) show(`memory (PSS, MB) of ${name}: ${partsText(memoryOfParts(parts))}`);
  const counted = seen.map(({ parts }) => countedOf(parts));
  await pause(idleSeconds * 1_000);
  for (const [index, { name }] of seen.entries())
    show(`idle, % of a core, ${name}: ${partsText(counted[index](idleSeconds * 10_000).parts, 2)}`);
  await ours.stop();
  outpost?.stop();
  programs.stop();
}
