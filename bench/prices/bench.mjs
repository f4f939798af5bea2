import { hasRunFromSources, processorTimes, startPlatform, until } from '../platform.mjs';
import { fillRequests } from '../fairness/requests.mjs';
import { documents } from './documents.mjs';

const show = (text) => process.stdout.write(`${text}\n`);
const records = 100_000;
const rounds = 3;
const warmUps = 1;

/**
 * npm run bench -- prices [--only=<part of a name>]: processor time of all processes for each document, beside its
 * points.
 */
export async function run(options) {
  if (hasRunFromSources('prices', options)) return;
  const only = options.find((one) => one.startsWith('--only='))?.slice(7) ?? '';
  const chosen = Object.entries(documents).filter(([name]) => name.includes(only));
  const { baseUrl, store, tokensOf, stop } = await startPlatform();
  // One person per document, so that each has its own points.
  const { ids, tokens } = await tokensOf('greedy', chosen.length);
  await fillRequests(store.url('graph'), { greedy: { count: records, people: ids.slice(0, 10) } });
  for (const headers of tokens)
    await until(
      'people who may call',
      async () => !(await ask(baseUrl, headers, '{ requests(first: 1) { nodes { id } } }')).code,
    );
  const idle = await idleRate();
  const rows = [];
  for (const [n, [name, [query, variables]]] of chosen.entries()) {
    const measured = [];
    for (let round = 0; round < warmUps + rounds; round += 1) {
      const { before, began } = { before: total(), began: performance.now() };
      const answer = await ask(baseUrl, tokens[n], query, variables);
      const elapsed = performance.now() - began;
      if (round >= warmUps) measured.push({ ...answer, cpu: (total() - before) / 1_000 - idle * elapsed, elapsed });
    }
    measured.sort((a, b) => a.cpu - b.cpu);
    rows.push({ name, ...measured[Math.floor(rounds / 2)] });
  }
  show(
    `An account with ${records} requests; processor time of all processes, MongoDB and Redis included, median of ${rounds} calls`,
  );
  show('| document | points | CPU ms | CPU ms a point | ms | refused |');
  show('|---|---:|---:|---:|---:|---|');
  rows.sort((a, b) => b.cpu / b.points - a.cpu / a.points);
  for (const { name, points, cpu, elapsed, code } of rows)
    show(
      `| ${name} | ${points} | ${cpu.toFixed(0)} | ${(cpu / points).toFixed(1)} | ${elapsed.toFixed(0)} | ${code} |`,
    );
  const ratios = rows.filter(({ code }) => code === '').map(({ cpu, points }) => cpu / points);
  show(
    `\nDearest ÷ median of those that were answered: ${(ratios[0] / ratios[Math.floor(ratios.length / 2)]).toFixed(1)}`,
  );
  await stop();
}

const total = () =>
  Object.entries(processorTimes()).reduce((sum, [name, time]) => (name === 'bench' ? sum : sum + time), 0);

/** The processor time of idle processes, in milliseconds per millisecond. */
async function idleRate() {
  const [before, began] = [total(), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  return (total() - before) / 1_000 / (performance.now() - began);
}

async function ask(baseUrl, headers, query, variables = {}) {
  const body = JSON.stringify({ query, variables });
  const answer = await fetch(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  });
  const text = await answer.text();
  const code = /"code":"([A-Z_]+)"/.exec(text)?.[1] ?? (answer.ok ? '' : String(answer.status));
  return { code, points: Math.max(1, Number(answer.headers.get('x-costlimit-cost') ?? 1)) };
}
