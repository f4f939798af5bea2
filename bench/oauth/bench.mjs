import { drive, median, memoryOf, percentile, startProcess } from '../measure.mjs';
import { storeOf } from '../stores.mjs';

const atOnce = 8;
const jwtType = 'urn:ietf:params:oauth:token-type:jwt';
const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

const post = (url, form) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form) }).then(async (response) => {
    const body = await response.json();
    if (!response.ok) throw new Error(`${url} answered ${response.status} ${JSON.stringify(body)}`);
    return body;
  });

/** CPU of the serving process, CPU with its store, and client latency of one operation on `items`. */
async function measure({ process, store }, items, work) {
  const clocks = async () => [await process.call('cpu'), await store.cpu()];
  const before = await clocks();
  const { results, times } = await drive(items, atOnce, work);
  const [service, stored] = (await clocks()).map((clock, index) => (clock - before[index]) / items.length);
  return { results, cpu: service, all: service + stored, p50: percentile(times, 0.5) };
}

async function round(side, perRound) {
  const { token, introspect, revoke, client, redirectUri } = side.about;
  const codes = await side.process.call('codes', { count: perRound });
  const identities = await side.process.call('identity', { count: perRound });
  const code = await measure(side, codes, (value) =>
    post(token, { ...client, grant_type: 'authorization_code', code: value, redirect_uri: redirectUri }),
  );
  const refresh = await measure(side, code.results, ({ refresh_token }) =>
    post(token, { ...client, grant_type: 'refresh_token', refresh_token }),
  );
  const exchanged = await measure(side, identities, (subject_token) =>
    post(token, { ...client, grant_type: exchange, subject_token, subject_token_type: jwtType }),
  );
  const introspection = await measure(side, refresh.results, async ({ access_token }) => {
    const { active } = await post(introspect, { ...client, token: access_token });
    if (!active) throw new Error('a live token is said to be inactive');
  });
  // The peer revokes a token once; ours checks the security log for a repetition.
  const again =
    revoke === undefined
      ? undefined
      : await measure(side, code.results, ({ refresh_token }) => post(revoke, { ...client, token: refresh_token }));
  return { code, refresh, exchange: exchanged, introspection, again, like: exchanged.results[0].access_token };
}

const show = (text) => process.stdout.write(`${text}\n`);

const middle = (found, name, what) => median(found.map((one) => one[name][what]));

function report(name, [ours, ...peers], what) {
  const cpu = middle(ours.rounds, name, what);
  const against = peers
    .map(({ rounds: found }) => middle(found, name, what))
    .map((one) => `${one.toFixed(0)} µs | ${(cpu / one).toFixed(2)}`);
  show(`| ${[name, `${cpu.toFixed(0)} µs`, ...against].join(' | ')} |`);
}

const contenders = [
  { file: 'ours.mjs', about: {} },
  { file: 'peer.mjs', about: { adapter: 'store', looksUp: true } },
  { file: 'peer.mjs', about: { adapter: 'store' } },
  { file: 'peer.mjs', about: { adapter: 'map' } },
];

const peers = [
  'same store and the same look-ups',
  'same store, client and person in its configuration',
  'map in its process, client and person in its configuration',
];

const amountOf = (options, name, usual = 0) =>
  Number(options.find((one) => one.startsWith(`--${name}=`))?.split('=')[1] ?? usual);

/**
 * Ours against oidc-provider, in turns, in one run (unless `--alone`); then ours with few and with many tokens, people
 * and entries of the security log.
 */
export async function run(options) {
  const rounds = amountOf(options, 'rounds', 5);
  const perRound = amountOf(options, 'requests', 1_000);
  const amounts = {
    tokens: amountOf(options, 'tokens'),
    people: amountOf(options, 'people'),
    log: amountOf(options, 'log'),
  };
  const store = await storeOf(options);
  const mongodbUrl = await store.url('auth');
  const sides = [];
  for (const { file, about } of options.includes('--alone') ? contenders.slice(0, 1) : contenders) {
    const process = await startProcess(new URL(`./${file}`, import.meta.url));
    const side = { process, store, about: await process.call('start', { mongodbUrl, ...about }), rounds: [] };
    await round(side, perRound);
    sides.push(side);
  }
  for (let count = 0; count < rounds; count += 1) {
    for (const side of sides) side.rounds.push(await round(side, perRound));
    show(`round ${count + 1} of ${rounds}`);
  }
  for (const [what, title] of [
    ['cpu', 'the serving process'],
    ['all', `the serving process and ${store.name}`],
  ]) {
    show(`\nCPU of ${title} per request, median of ${rounds} rounds of ${perRound}, ${atOnce} at once`);
    const names = [
      'operation',
      'ours',
      ...peers.slice(0, sides.length - 1).map((peer) => `oidc-provider, ${peer} | ratio`),
    ];
    show(`| ${names.join(' | ')} |\n|${'---|'.repeat(sides.length * 2)}`);
    for (const name of ['code', 'refresh', 'exchange', 'introspection']) report(name, sides, what);
  }
  const memories = sides.map(({ process }) => `${memoryOf(process.pid).toFixed(0)} MB`).join(', ');
  show(`\nMemory (PSS) of the serving processes: ${memories}; of ${store.name}: ${memoryOf(store.pid).toFixed(0)} MB`);
  if (Object.values(amounts).some((amount) => amount > 0)) await amongMany(sides[0], { amounts, rounds, perRound });
  for (const { process } of sides) process.stop();
  store.stop();
}

/** Lists of the GraphQL API, in the gateway's form of a query. */
const lists = {
  'page of people by name': '{ people(first: 20, order: [{ field: name, direction: asc }]) { nodes { id name } } }',
  'people by two words': '{ people(first: 20, filter: { query: "ada 77" }) { nodes { id name } } }',
  'page of the security log': '{ securityLog(first: 20) { nodes { id event } } }',
  'the log of one event':
    '{ securityLog(first: 20, filter: { event: { values: ["token.exchanged"] } }) { nodes { id } } }',
};

async function listRound(side, perRound) {
  const { graphql, bearer, account } = side.about;
  const authorization = `Bearer ${bearer}`;
  const headers = { authorization, 'x-service-account': account, 'content-type': 'application/json' };
  const found = {};
  for (const [name, query] of Object.entries(lists))
    found[name] = await measure(side, Array(perRound / 4).fill(JSON.stringify({ query })), async (body) => {
      const answer = await (await fetch(graphql, { method: 'POST', headers, body })).json();
      if (answer.errors) throw new Error(JSON.stringify(answer));
    });
  return found;
}

/** Ours with little data and, in a separate database, with much, in turns. */
async function amongMany(few, { amounts, rounds, perRound }) {
  const process = await startProcess(new URL('./ours.mjs', import.meta.url));
  const { store } = few;
  const about = await process.call('start', { mongodbUrl: await store.url('auth-many') });
  const many = { process, store, about };
  const small = Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, Math.min(amount, 100)]));
  await few.process.call('fill', { amounts: small, like: few.rounds[0].like });
  const stored = await process.call('fill', { amounts, like: (await round(many, perRound)).like });
  const seen = new Map([
    [few, []],
    [many, []],
  ]);
  for (let count = 0; count <= rounds; count += 1)
    for (const [side, found] of seen) {
      const one = { ...(await round(side, perRound)), ...(await listRound(side, perRound)) };
      if (count > 0) found.push(one);
    }
  show(`\nOurs with few, and with ${stored}, in turns: CPU of service and ${store.name}, and time at the client (p50)`);
  show('| operation | few | many | ratio | few, p50 | many, p50 |\n|---|---|---|---|---|---|');
  for (const name of ['code', 'refresh', 'exchange', 'introspection', 'again', ...Object.keys(lists)]) {
    const [one, lots] = [...seen.values()].map((found) => middle(found, name, 'all'));
    const times = [...seen.values()].map((found) => `${middle(found, name, 'p50').toFixed(2)} ms`);
    show(
      `| ${name} | ${one.toFixed(0)} µs | ${lots.toFixed(0)} µs | ${(lots / one).toFixed(2)} | ${times.join(' | ')} |`,
    );
  }
  process.stop();
}
