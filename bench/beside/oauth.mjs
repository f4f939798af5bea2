// Authorization code, refresh, token exchange and introspection: auth on MongoDB and Redis, oidc-provider on MongoDB
// with the same look-ups, and Ory Hydra on PostgreSQL, each with its own store.
import { Agent, request } from 'node:http';
import { drive, percentile, startProcess } from '../measure.mjs';
import { asInCompose, startMongodb } from '../stores.mjs';
import { countedOf, load, memoryOfParts, middleOf, partsText } from './figures.mjs';
import { startHydra } from './hydra.mjs';
import { createPrograms, option, show, startRedis } from './programs.mjs';

const atOnce = 8;
const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const jwtType = 'urn:ietf:params:oauth:token-type:jwt';
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });

/** A lightweight client; returns the JSON of a successful answer. */
function post(url, form) {
  const body = new URLSearchParams(form).toString();
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(JSON.parse(text))
          : reject(new Error(`${url} answered ${response.statusCode} ${text}`)),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function measured(side, operation, items, work) {
  const counted = countedOf(side.parts);
  const started = performance.now();
  const { results, times } = await drive(items, atOnce, work);
  const perSecond = items.length / ((performance.now() - started) / 1_000);
  side.seen[operation].push({
    ...counted(items.length),
    perSecond,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    p99: percentile(times, 0.99),
  });
  return results;
}

async function round(side, count) {
  const { token, introspect, client, redirectUri } = side.about;
  const grant = (type, more) => post(token, { ...client, grant_type: type, ...more });
  const codes = await measured(side, 'code', await side.codes(count), (code) =>
    grant('authorization_code', { code, redirect_uri: redirectUri }),
  );
  const refreshed = await measured(side, 'refresh', codes, ({ refresh_token }) =>
    grant('refresh_token', { refresh_token }),
  );
  if (side.identities)
    await measured(side, 'exchange', await side.identities(count), (subject_token) =>
      grant(exchange, { subject_token, subject_token_type: jwtType }),
    );
  await measured(side, 'introspection', refreshed, async ({ access_token }) => {
    const { active } = await post(introspect, { ...client, token: access_token });
    if (!active) throw new Error(`${side.name}: a live token is said to be inactive`);
  });
}

const unseen = () => ({ code: [], refresh: [], exchange: [], introspection: [] });

/** A process of `bench/oauth` on its own MongoDB. */
async function startOnMongodb(name, file, about, parts = {}) {
  const store = await startMongodb(asInCompose);
  const service = await startProcess(new URL(`../oauth/${file}`, import.meta.url));
  return {
    name,
    about: await service.call('start', { mongodbUrl: store.url('auth'), ...about }),
    parts: { service: service.pid, store: store.pid, ...parts },
    codes: (count) => service.call('codes', { count }),
    identities: (count) => service.call('identity', { count }),
    stop() {
      service.stop();
      store.stop();
    },
  };
}

function report(sides, operation) {
  const own = middleOf(sides[0].seen[operation]).cpu;
  for (const side of sides.filter(({ seen }) => seen[operation].length > 0)) {
    const { cpu, parts, perSecond, p50, p95, p99 } = middleOf(side.seen[operation]);
    const times = [p50, p95, p99].map((time) => time.toFixed(1));
    const cells = [cpu.toFixed(0), partsText(parts), (own / cpu).toFixed(2), perSecond.toFixed(0), ...times];
    show(`| ${[operation, side.name, ...cells].join(' | ')} |`);
  }
}

/** `--rounds=` of `--requests=` per operation. */
export async function run(options) {
  const [rounds, count] = [option(options, 'rounds', 5), option(options, 'requests', 500)];
  const programs = createPrograms('oauth');
  const redis = await startRedis(programs);
  const sides = [
    await startOnMongodb('ours', 'ours.mjs', { redisUrl: redis.url }, { redis: redis.pid }),
    await startOnMongodb('oidc-provider, same look-ups', 'peer.mjs', { adapter: 'store', looksUp: true }),
    await startHydra(),
  ].filter(Boolean);
  for (const side of sides) {
    side.seen = unseen();
    await round(side, count);
    side.seen = unseen();
  }
  for (let number = 1; number <= rounds; number += 1) {
    for (const side of sides) await round(side, count);
    show(`round ${number} of ${rounds}, ${load()}`);
  }
  show(`\n${atOnce} at once, medians of ${rounds} rounds of ${count}`);
  show('| operation | side | CPU µs/request | parts | ours ÷ it | requests/s | p50 ms | p95 ms | p99 ms |');
  show(`|${'---|'.repeat(9)}`);
  for (const operation of Object.keys(unseen())) report(sides, operation);
  for (const { name, parts } of sides) show(`memory (PSS, MB) of ${name}: ${partsText(memoryOfParts(parts))}`);
  for (const side of sides) side.stop();
  programs.stop();
}
