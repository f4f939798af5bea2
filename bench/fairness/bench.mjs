import { setMaxListeners } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../measure.mjs';
import { hasRunFromSources, processorTimes, startPlatform, until } from '../platform.mjs';
import { attacks } from './greedy.mjs';
import { fillRequests } from './requests.mjs';

const show = (text) => process.stdout.write(`${text}\n`);
const perSecond = 20;
const agent = new Agent({ keepAlive: true, maxSockets: 512 });

/**
 * npm run bench -- fairness [--seconds=60] [--records=100000] [--only=<part of a name>]… [--store=embedded]: the effect
 * of one account's load on small calls of another.
 */
export async function run(options) {
  if (hasRunFromSources('fairness', options)) return;
  const seconds = Number(options.find((one) => one.startsWith('--seconds='))?.slice(10) ?? 60);
  const records = Number(options.find((one) => one.startsWith('--records='))?.slice(10) ?? 100_000);
  const only = options.filter((one) => one.startsWith('--only=')).map((one) => one.slice(7));
  const isMeant = ([name]) => only.length === 0 || only.some((part) => name.includes(part));
  const { baseUrl, store, operator, tokensOf, stop } = await startPlatform(
    { ALLOW_INSECURE_PROVIDERS: 'true' },
    options,
  );
  // Each person has their own rate limits; there are enough people that measured calls do not reach them.
  const [one, other] = [await tokensOf('small', 16), await tokensOf('greedy', 10)];
  const [small, greedy] = [one.tokens, other.tokens];
  await fillRequests(store.url('graph'), {
    small: { count: 1_000, people: one.ids },
    greedy: { count: records, people: other.ids },
  });
  const application = await operator.createApplication('greedy');
  const platform = { baseUrl, greedy, call, operator, application };
  await untilReady(baseUrl, [...small, ...greedy]);

  show(
    `${store.name}: ${records} requests of the greedy account; ${perSecond} small calls a second of another, for ${seconds} s each`,
  );
  show(
    '| what the greedy account does | p50 ms | of quiet | p99 ms | of quiet | errors | answers to the greedy | cores |',
  );
  show('|---|---:|---:|---:|---:|---:|---|---|');
  // Warm-up: compilation must not be attributed to the neighbour.
  await measure(baseUrl, small, 60);
  const quiet = await measure(baseUrl, small, seconds);
  show(row('nothing', quiet, quiet, {}));
  for (const [name, attack] of Object.entries(attacks).filter(isMeant)) {
    const leaving = new AbortController();
    // Each of some hundred calls adds a listener.
    setMaxListeners(0, leaving.signal);
    const answers = {};
    const count = (what) => (answers[what] = (answers[what] ?? 0) + 1);
    const begin = await attack(platform);
    const attacking = begin(leaving.signal, count);
    await pause(1_000);
    const measured = await measure(baseUrl, small, seconds);
    leaving.abort();
    await attacking;
    show(row(name, measured, quiet, answers));
    await pause(3_000);
  }
  show(row('nothing, again', await measure(baseUrl, small, seconds), quiet, {}));
  await stop();
}

function row(name, { times, errors, cores }, quiet, answers) {
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  const ratio = (share) => (percentile(times, share) / percentile(quiet.times, share)).toFixed(2);
  const seen = Object.entries(answers).map(([what, count]) => `${what}: ${count}`);
  return `| ${name} | ${p50.toFixed(1)} | ${ratio(0.5)} | ${p99.toFixed(1)} | ${ratio(0.99)} | ${errors} | ${seen.join(', ')} | ${cores.map(([process, share]) => `${process} ${share.toFixed(2)}`).join(', ')} |`;
}

/**
 * Small calls at a steady rate, regardless of earlier ones: GraphQL, REST and, without a token, the sign-in page in
 * turn.
 */
async function measure(baseUrl, tokens, seconds) {
  const times = [];
  let errors = 0;
  const calls = [];
  const before = processorTimes();
  const began = performance.now();
  for (let n = 0; n < seconds * perSecond; n += 1) {
    await pause(Math.max(0, began + (n * 1_000) / perSecond - performance.now()));
    const started = performance.now();
    calls.push(
      smallCall(baseUrl, tokens[n % tokens.length], n).then(({ status, text }) => {
        times.push(performance.now() - started);
        if (status !== 200 || text.includes('"errors"')) errors += 1;
      }),
    );
  }
  await Promise.all(calls);
  const elapsed = (performance.now() - began) * 1_000;
  const cores = Object.entries(processorTimes())
    .map(([name, time]) => [name, (time - (before[name] ?? 0)) / elapsed])
    .filter(([, share]) => share >= 0.05)
    .sort(([, a], [, b]) => b - a);
  return { times: times.sort((a, b) => a - b), errors, cores };
}

const query = JSON.stringify({ query: '{ me { name } requests(first: 5) { nodes { id subject status } } }' });

function smallCall(baseUrl, headers, n) {
  if (n % 4 === 1) return call(`${baseUrl}/v1/requests?per_page=5`, { headers });
  if (n % 4 === 3)
    return call(`${baseUrl}/oauth/sign-in`, {
      headers: { 'X-Forwarded-For': '203.0.113.5', 'X-Forwarded-Proto': 'https' },
    });
  return call(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: query,
  });
}

/** `{status, text, headers}`; status 0 without an answer within 30 s, or when `signal` aborts before. */
function call(url, { method = 'GET', headers = {}, body, signal } = {}) {
  return new Promise((resolve) => {
    const fail = () => resolve({ status: 0, text: '', headers: {} });
    const outgoing = request(url, { method, headers, agent, signal, timeout: 30_000 }, async (answer) => {
      let text = '';
      try {
        for await (const chunk of answer.setEncoding('utf8')) text += chunk;
        resolve({ status: answer.statusCode, text, headers: answer.headers });
      } catch {
        fail();
      }
    });
    outgoing.on('error', fail).on('timeout', () => outgoing.destroy());
    outgoing.end(body);
  });
}

/** Waits until graph knows all people. */
async function untilReady(baseUrl, everybody) {
  for (const [n, headers] of everybody.entries())
    await until('people who may call', async () => {
      const { status, text } = await smallCall(baseUrl, headers, n % 2 === 0 ? 0 : 2);
      return status === 200 && !text.includes('"errors"');
    });
}
