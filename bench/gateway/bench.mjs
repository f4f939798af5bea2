import { isDeepStrictEqual } from 'node:util';
import { Agent, request } from 'node:http';
import { drive, median, memoryOf, startProcess } from '../measure.mjs';
import { nodeOptionsOf } from '../platform.mjs';
import { ensurePeers } from './ensure-peers.mjs';
import { operations, variables } from './graph.mjs';
import { composeSupergraph } from './supergraph.mjs';

const usualRounds = 7;
const perRound = { small: 3_000, medium: 1_500, heavy: 250 };
const atOnce = 16;
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });

const contenders = [
  { name: 'ours', file: 'ours.mjs', executor: 'compiled' },
  { name: 'ours with EXECUTOR=apollo', file: 'ours.mjs', executor: 'apollo' },
  { name: '@apollo/gateway', file: 'apollo.mjs' },
  { name: 'Hive Gateway', file: 'hive.mjs' },
];

let turn = 0;

/** One call; returns the text of the answer. Callers take turns, so that no rate limit is reached. */
function call({ port, path, tokens }, body) {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  if (tokens) {
    turn += 1;
    headers['Authorization'] = `Bearer ${tokens[turn % tokens.length]}`;
    headers['X-Service-Account'] = 'wdc';
  }
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const bodyOf = (size) => JSON.stringify({ query: operations[size], variables: variables[size] });

async function round({ process, about }, size, count) {
  const body = bodyOf(size);
  const before = await process.call('cpu');
  await drive(Array.from({ length: count }), atOnce, () => call(about, body));
  return ((await process.call('cpu')) - before) / count;
}

const show = (text) => process.stdout.write(`${text}\n`);

/** Checks that all return the same data, with the expected bytes and fetches. */
async function compare(sides, services) {
  for (const size of Object.keys(operations)) {
    const answers = [];
    const counts = [];
    for (const { about } of sides) {
      const before = await services.call('fetches');
      const text = await call(about, bodyOf(size));
      counts.push((await services.call('fetches')) - before);
      answers.push(JSON.parse(text));
      if (about.tokens) show(`${size}: ${Buffer.byteLength(text)} bytes`);
    }
    show(`${size}: fetches ${sides.map(({ name }, index) => `${name} ${counts[index]}`).join(', ')}`);
    for (const [index, one] of answers.entries())
      if (one.errors || !isDeepStrictEqual(one.data, answers[0].data))
        throw new Error(`${sides[index].name} answers ${size} otherwise: ${JSON.stringify(one).slice(0, 500)}`);
  }
}

/** Ours, with authentication and all limits, against gateways without either, in turns, in one run. */
export async function run(options) {
  const rounds = Number(options.find((option) => /^--rounds=\d+$/.test(option))?.split('=')[1] ?? usualRounds);
  await ensurePeers();
  process.env['NODE_ENV'] = 'production';
  process.env['APOLLO_TELEMETRY_DISABLED'] = 'true';
  const services = await startProcess(new URL('./services.mjs', import.meta.url));
  const addresses = await services.call('start');
  const supergraphSdl = composeSupergraph(addresses);
  const sides = [];
  for (const { name, file, executor } of contenders) {
    // Ours has the deployed heap.
    const options = executor ? nodeOptionsOf('gateway').split(' ') : [];
    const side = { name, process: await startProcess(new URL(`./${file}`, import.meta.url), options), rounds: [] };
    side.about = await side.process.call('start', { services: addresses, supergraphSdl, executor });
    sides.push(side);
  }
  await compare(sides, services);

  for (const side of sides) {
    for (const token of side.about.tokens ?? []) await call({ ...side.about, tokens: [token] }, bodyOf('small'));
    for (const size of Object.keys(operations)) await round(side, size, perRound[size]);
  }
  for (let count = 0; count < rounds; count += 1) {
    for (const side of sides) {
      const cpu = {};
      for (const size of Object.keys(operations)) cpu[size] = await round(side, size, perRound[size]);
      side.rounds.push(cpu);
    }
    show(`round ${count + 1} of ${rounds}`);
  }
  report(sides, rounds);
  await reportLimits(sides[0]);
  for (const { process: child } of [...sides, { process: services }]) child.stop();
}

/** The cost of the limits for a small call: computing its price, and updating three windows. */
async function reportLimits({ process, rounds }) {
  const limits = await process.call('limits', { query: operations.small });
  const small = median(rounds.map(({ small: cpu }) => cpu));
  show(`\nLimits: ${limits.toFixed(1)} µs, ${((limits / small) * 100).toFixed(1)} % of a small call`);
}

function report(sides, rounds) {
  const of = (side, size) => median(side.rounds.map((cpu) => cpu[size]));
  show(`\nCPU of the gateway's process per call, median of ${rounds} rounds, ${atOnce} at once`);
  show(`| call | ${sides.map(({ name }, index) => (index === 0 ? name : `${name} | ratio`)).join(' | ')} |`);
  show(`|---|${'---|'.repeat(sides.length * 2 - 1)}`);
  const line = (name, unit, values) => {
    const cells = values.map((value) => `${value.toFixed(0)} ${unit} | ${(value / values[0]).toFixed(2)}`);
    show(`| ${name} | ${values[0].toFixed(0)} ${unit} | ${cells.slice(1).join(' | ')} |`);
  };
  for (const size of Object.keys(operations))
    line(
      size,
      'µs',
      sides.map((side) => of(side, size)),
    );
  line(
    'memory (PSS)',
    'MB',
    sides.map(({ process }) => memoryOf(process.pid)),
  );
}
