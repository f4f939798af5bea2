import { randomUUID } from 'node:crypto';
import { median, memoryOf, percentile, startProcess } from '../measure.mjs';
import { storeOf } from '../stores.mjs';

const sizes = [1_000, 100_000];
const rounds = 9;
const perRound = 200;
const webhooksPerAccount = 10;

const show = (text) => process.stdout.write(`${text}\n`);

/** Events of `perRound` accounts, each visible to two: four webhooks are called per event. */
const eventsAmong = (webhooks) =>
  Array.from({ length: perRound }, () => {
    const accounts = webhooks / webhooksPerAccount;
    const first = Math.floor(Math.random() * accounts);
    return {
      eventId: randomUUID(),
      event: 'request.create',
      at: new Date().toISOString(),
      accountId: `account-${first}`,
      visibleTo: [`account-${first}`, `account-${(first + 1) % accounts}`],
      object: { id: 1, nodeID: 'bm9kZQ' },
      person: null,
      payload: { status: 'assigned' },
      links: { canonical: '/requests/1', resource: '/v1/requests/1' },
    };
  });

async function startSide(store, webhooks) {
  const service = await startProcess(new URL('./service.mjs', import.meta.url));
  const mongodbUrl = await store.url(`fan_out_${webhooks}`);
  show(`${await service.call('start', { mongodbUrl, webhooks })} webhooks stored`);
  return { webhooks, store, service, rounds: [] };
}

async function round({ webhooks, store, service }) {
  const cpu = async () => (await store.cpu()) + (await service.call('cpu'));
  const before = await cpu();
  const { times, deliveries } = await service.call('handle', { events: eventsAmong(webhooks) });
  const sorted = times.sort((a, b) => a - b);
  if (deliveries !== perRound * 4) throw new Error(`${deliveries} deliveries instead of ${perRound * 4}`);
  return { cpu: ((await cpu()) - before) / perRound, p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
}

/** One event among 1,000 and among 100,000 webhooks, in turns, in one run. */
export async function run(options) {
  const store = await storeOf(options);
  const sides = [];
  for (const webhooks of sizes) sides.push(await startSide(store, webhooks));
  for (const side of sides) await round(side);
  for (let count = 0; count < rounds; count += 1) {
    for (const side of sides) side.rounds.push(await round(side));
  }
  const of = (side, what) => median(side.rounds.map((one) => one[what]));
  show(`\nOne event, four deliveries: median of ${rounds} rounds of ${perRound} events`);
  show('| | 1,000 webhooks | 100,000 webhooks | ratio |');
  show('|---|---|---|---|');
  const [few, many] = sides;
  const line = (name, what, unit, digits) => {
    const [one, other] = [of(few, what), of(many, what)];
    show(
      `| ${name} | ${one.toFixed(digits)} ${unit} | ${other.toFixed(digits)} ${unit} | ${(other / one).toFixed(2)} |`,
    );
  };
  line('CPU of service and store', 'cpu', 'µs', 0);
  line('time, p50', 'p50', 'ms', 2);
  line('time, p95', 'p95', 'ms', 2);
  const memories = sides.map(({ service }) => memoryOf(service.pid));
  show(`memory of the service (PSS): ${memories.map((one) => `${one.toFixed(0)} MB`).join(', ')}`);
  for (const { service } of sides) service.stop();
  store.stop();
}
