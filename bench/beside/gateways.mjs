// Gateways in front of the same services with canned answers, under load by wrk. Ours authenticates and has all limits;
// the others have neither. Equal requests are not joined, since callers are different people.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { findProgram } from '../../scripts/engine.mjs';
import { operations, variables } from '../gateway/graph.mjs';
import { composeSupergraph } from '../gateway/supergraph.mjs';
import { startProcess } from '../measure.mjs';
import { countedOf, load, memoryOfParts, middleOf, partsText, sumOf } from './figures.mjs';
import { startCosmo, startHive, startOurs } from './gateway-programs.mjs';
import { createPrograms, option, show } from './programs.mjs';

const { createOpaqueToken } = createRequire(import.meta.url)('../../shared/dist/base/ids/opaque-token.js');
const callers = 4_000;
const script = fileURLToPath(new URL('./post.lua', import.meta.url));

/** By the names that `--only=` accepts. */
const contenders = {
  ours: (about) => startOurs(about, { redis: true }),
  processes: (about) => startOurs(about, { redis: true, processes: availableParallelism() }),
  memory: (about) => startOurs(about, { redis: false }),
  cosmo: startCosmo,
  hive: startHive,
};

async function ask(side, body, token) {
  const headers = { 'Content-Type': 'application/json' };
  if (side.takesTokens) Object.assign(headers, { Authorization: `Bearer ${token}`, 'X-Service-Account': 'wdc' });
  const response = await fetch(side.url, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`${side.name} answers ${response.status} ${await response.text()}`);
  return response.text();
}

/** Checks that all return the same data. */
async function compare({ sides, bodies, services, tokens }) {
  for (const [size, { text }] of Object.entries(bodies)) {
    const known = JSON.parse(await ask(sides[0], text, tokens[0]));
    for (const side of sides) {
      const before = await services.call('fetches');
      const answered = await ask(side, text, tokens[0]);
      const fetches = (await services.call('fetches')) - before;
      const { data, errors } = JSON.parse(answered);
      if (errors || !isDeepStrictEqual(data, known.data)) throw new Error(`${side.name} answers ${size} otherwise`);
      show(`${size}: ${side.name} ${Buffer.byteLength(answered)} bytes, ${fetches} fetches`);
    }
  }
}

/** Lets each caller call once, so that all are cached. */
async function introduce(side, body, tokens) {
  const queue = [...tokens];
  const worker = async () => {
    for (let one = queue.pop(); one; one = queue.pop()) await ask(side, body, one);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

function loadWith({ connections, tokensFile }) {
  const wrk = findProgram(['wrk'], 'wrk is not installed; on Debian: apt-get install wrk');
  return (side, body, seconds) => {
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, side.url, '--', body];
    if (side.takesTokens) args.push(tokensFile);
    const { status, stdout } = spawnSync(wrk, args, { encoding: 'utf8' });
    const result = /^RESULT (.*)$/m.exec(stdout)?.[1];
    if (status !== 0 || !result) throw new Error(`wrk: ${stdout}`);
    return JSON.parse(result);
  };
}

async function round(side, { services, press }, body, seconds) {
  const fetches = await services.call('fetches');
  const [counted, countedServices] = [countedOf(side.parts), countedOf({ services: services.pid })];
  const { requests, wrong, ...seen } = press(side, body, seconds);
  return {
    ...seen,
    ...counted(requests),
    wrong,
    services: countedServices(requests).cpu,
    fetches: ((await services.call('fetches')) - fetches) / requests,
    memory: sumOf(memoryOfParts(side.parts)),
  };
}

function report(sides, sizes) {
  show(
    '| call | gateway | CPU µs/call | parts | ours ÷ it | calls/s | p50 ms | p95 ms | p99 ms | fetches | PSS MB | refused |',
  );
  show(`|${'---|'.repeat(12)}`);
  for (const size of sizes) {
    const own = middleOf(sides[0].rounds[size]).cpu;
    for (const side of sides) {
      const one = middleOf(side.rounds[size]);
      const times = [one.p50, one.p95, one.p99].map((time) => time.toFixed(2));
      const wrong = side.rounds[size].reduce((sum, { wrong: refused }) => sum + refused, 0);
      const cpu = [one.cpu.toFixed(0), partsText(one.parts), (own / one.cpu).toFixed(2)];
      const rest = [one.fetches.toFixed(2), one.memory.toFixed(0), wrong];
      show(`| ${[size, side.name, ...cpu, one.perSecond.toFixed(0), ...times, ...rest].join(' | ')} |`);
    }
  }
}

/**
 * `--rounds=`, `--seconds=` of each, `--connections=`, `--sizes=small,medium,heavy`,
 * `--only=ours,processes,memory,cosmo,hive`.
 */
export async function run(options) {
  const [rounds, seconds] = [option(options, 'rounds', 4), option(options, 'seconds', 4)];
  const connections = option(options, 'connections', 16);
  const sizes = option(options, 'sizes', 'small,medium,heavy').split(',');
  const only = option(options, 'only', Object.keys(contenders).join(',')).split(',');
  const programs = createPrograms('gateways');
  const services = await startProcess(new URL('../gateway/services.mjs', import.meta.url));
  const addresses = await services.call('start');
  const about = { addresses, supergraph: programs.file('supergraph.graphql', composeSupergraph(addresses)) };
  const tokens = Array.from({ length: callers }, () => createOpaqueToken('at'));
  const press = loadWith({ connections, tokensFile: programs.file('tokens.txt', `${tokens.join('\n')}\n`) });
  const bodies = {};
  for (const size of sizes) {
    const text = JSON.stringify({ query: operations[size], variables: variables[size] });
    bodies[size] = { text, path: programs.file(`${size}.json`, text) };
  }
  const sides = [];
  for (const name of only) {
    const side = await contenders[name](about);
    if (side) sides.push({ ...side, rounds: Object.fromEntries(sizes.map((size) => [size, []])) });
  }
  await compare({ sides, bodies, services, tokens });
  for (const side of sides) {
    if (side.takesTokens) await introduce(side, bodies[sizes[0]].text, tokens);
    for (const size of sizes) press(side, bodies[size].path, Math.ceil(seconds / 2));
  }
  for (let number = 1; number <= rounds; number += 1) {
    for (const size of sizes)
      for (const side of sides)
        side.rounds[size].push(await round(side, { services, press }, bodies[size].path, seconds));
    show(`round ${number} of ${rounds}, ${load()}`);
  }
  show(`\n${connections} connections, medians of ${rounds} rounds of ${seconds} s`);
  report(sides, sizes);
  services.stop();
  for (const side of sides) side.programs.stop();
  programs.stop();
}
