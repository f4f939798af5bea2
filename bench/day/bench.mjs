// A slice of the busiest hour of a medium-sized customer (docs/scale.md), on the platform as deployed; all processes
// are counted.
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { fillRequests } from '../fairness/requests.mjs';
import { percentile } from '../measure.mjs';
import { hasRunFromSources, memoryByName, processorTimes, startPlatform, until } from '../platform.mjs';

const load = createRequire(import.meta.url);
const show = (text) => process.stdout.write(`${text}\n`);
const customer = { records: 100_000, webhooks: 50, changes: 100_000 };
/** The events of the called webhooks: two webhooks per event. The others are registered for teams. */
const wanting = ['request.update', 'request.update', 'request.status-changed', 'request.status-changed'];
/** The share of a day's work in its busiest hour. */
const share = 0.2;
const perSecond = { changes: (customer.changes * share) / 3_600, reads: 2_000 / 60 };
const [clients, people] = [4, 16];
const json = { 'Content-Type': 'application/json' };

/** npm run bench -- day [--seconds=120]: the busiest hour, and rest; processor time and memory of each process. */
export async function run(options) {
  if (hasRunFromSources('day', options)) return;
  const seconds = Number(options.find((one) => one.startsWith('--seconds='))?.slice(10) ?? 120);
  const platform = await startPlatform({ ALLOW_INSECURE_RECEIVERS: 'true' });
  const { baseUrl, store, tokensOf } = platform;
  const { ids, tokens } = await tokensOf('customer', clients + people);
  await fillRequests(store.url('graph'), { customer: { count: customer.records, people: ids } });
  const ask = async (headers, query, variables = {}) => {
    const sent = { method: 'POST', headers: { ...headers, ...json }, body: JSON.stringify({ query, variables }) };
    return (await fetch(`${baseUrl}/graphql`, sent)).json();
  };
  const list = '{ requests(first: 20) { nodes { id subject status requestedBy { name } } } }';
  for (const headers of tokens)
    await until('people who may call', async () => (await ask(headers, list)).data?.requests !== undefined);
  const receivers = await registerAll(baseUrl, tokens);
  const records = (await ask(tokens[0], '{ requests(first: 100) { nodes { id } } }')).data.requests.nodes;

  const counts = { errors: 0, times: [] };
  const timed = async (work) => {
    const began = performance.now();
    const isWell = await work().catch(() => false);
    counts.times.push(performance.now() - began);
    if (!isWell) counts.errors += 1;
  };
  let changes = 0;
  const change = () => () => {
    const n = changes++;
    return ask(
      tokens[n % clients],
      `mutation($input: RequestUpdateInput!) { requestUpdate(input: $input) { errors { message } } }`,
      {
        input: {
          id: records[n % records.length].id,
          subject: `Printer ${n}`,
          // Every second change is one of the status; the next round sets the other status.
          ...(n % 2 === 0 && { status: isEven(n / 2 + Math.floor(n / records.length)) ? 'accepted' : 'assigned' }),
        },
      },
    ).then(({ data }) => data?.requestUpdate.errors.length === 0);
  };
  const read = (n) => () => {
    const headers = tokens[clients + (n % people)];
    if (n % 4 === 3) return fetch(`${baseUrl}/v1/requests?per_page=20`, { headers }).then(drained);
    const record = records[n % records.length].id;
    const one = '{ node(id: "ID") { ... on Request { subject status notes(first: 10) { nodes { text } } } } }';
    return ask(headers, n % 4 === 1 ? one.replace('ID', record) : list).then(({ errors }) => errors === undefined);
  };
  const steadily = async (rate, make, duration) => {
    const [calls, began] = [[], performance.now()];
    for (let n = 0; n < duration * rate; n += 1) {
      await pause(Math.max(0, began + (n * 1_000) / rate - performance.now()));
      calls.push(timed(make(n)));
    }
    await Promise.all(calls);
  };
  const hour = (duration) =>
    Promise.all([steadily(perSecond.changes, change, duration), steadily(perSecond.reads, read, duration)]);

  await hour(20);
  Object.assign(counts, { errors: 0, times: [] });
  const heard = () => receivers.reduce((sum, one) => sum + one.deliveries().length, 0);
  const [heardBefore, changesBefore] = [heard(), changes];
  const busy = await coresDuring(() => hour(seconds));
  await pause(2_000);
  const deliveries = heard() - heardBefore;
  const made = changes - changesBefore;
  const memory = memoryByName();
  await pause(40_000);
  const idle = await coresDuring(() => pause(60_000));
  const times = counts.times.sort((a, b) => a - b);
  show(
    `${seconds} s of the busiest hour: ${times.length} calls, ${made} of them changes, ${counts.errors} errors, p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms, ${deliveries} deliveries`,
  );
  show('| process | % of a core, busiest hour | at rest | CPU minutes a day | memory (PSS), MB |');
  show('|---|---:|---:|---:|---:|');
  // A day's work equals five such hours.
  const minutes = (name) => 60 * ((busy[name] ?? 0) / share + (idle[name] ?? 0) * (24 - 1 / share));
  // `node` and `esbuild` are the operator's commands and the compilation of this benchmark.
  const others = ['bench', 'node', 'esbuild'];
  const names = Object.keys(busy).filter((name) => !others.includes(name) && memory[name] > 5);
  const cells = (name) => [100 * busy[name], 100 * (idle[name] ?? 0), minutes(name), memory[name] ?? 0];
  for (const name of names) show(row(name, cells(name)));
  const all = names.map(cells).reduce((sum, one) => sum.map((value, at) => value + one[at]));
  show(row('all', all));
  for (const one of receivers) one.close();
  await platform.stop();
}

const isEven = (n) => n % 2 === 0;

const row = (name, [busy, idle, minutes, memory]) =>
  `| ${name} | ${busy.toFixed(2)} | ${idle.toFixed(2)} | ${minutes.toFixed(0)} | ${memory.toFixed(0)} |`;

const drained = async (answer) => {
  await answer.text();
  return answer.status === 200;
};

/** Cores used by each process during `work`. */
async function coresDuring(work) {
  const [before, began] = [processorTimes(), performance.now()];
  await work();
  const elapsed = (performance.now() - began) * 1_000;
  return Object.fromEntries(
    Object.entries(processorTimes()).map(([name, time]) => [name, (time - (before[name] ?? 0)) / elapsed]),
  );
}

/** All webhooks of the customer, verified; those for requests have their own receivers. */
async function registerAll(baseUrl, tokens) {
  const { startReceiver } = load('../../e2e/src/operations/receiver.ts');
  const receivers = [];
  for (let n = 0; n < customer.webhooks; n += 1) {
    const receiver = await startReceiver('hook:bench', `key${n}`);
    const event = wanting[n] ?? 'team.create';
    const answer = await fetch(`${baseUrl}/v1/webhooks`, {
      method: 'POST',
      headers: { ...tokens[n % tokens.length], ...json },
      body: JSON.stringify({ event, uri: receiver.uri }),
    });
    if (answer.status !== 201) throw new Error(`Registering answered ${answer.status} ${await answer.text()}`);
    await until('the verification', () => receiver.callback() !== undefined);
    await fetch(receiver.callback());
    receivers.push(receiver);
  }
  return receivers;
}
