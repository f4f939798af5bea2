import { drive, median, percentile, startProcess } from '../measure.mjs';

const rounds = 5;
const perRound = 1_000;
const atOnce = 8;
const jwtType = 'urn:ietf:params:oauth:token-type:jwt';
const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

const post = (url, form) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form) }).then(async (response) => {
    const body = await response.json();
    if (!response.ok) throw new Error(`${url} answered ${response.status} ${JSON.stringify(body)}`);
    return body;
  });

/** CPU of the serving process and time at the client for one operation on `items`. */
async function measure(side, items, work) {
  const before = await side.process.call('cpu');
  const { results, times } = await drive(items, atOnce, work);
  const microseconds = (await side.process.call('cpu')) - before;
  return { results, cpu: microseconds / items.length, p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

async function round(side) {
  const { token, introspect, client, redirectUri } = side.about;
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
  return { code, refresh, exchange: exchanged, introspection, like: refresh.results[0].access_token };
}

const show = (text) => process.stdout.write(`${text}\n`);

function report(name, [ours, ...peers]) {
  const of = (side, what) => median(side.rounds.map((one) => one[name][what]));
  const cpu = of(ours, 'cpu');
  const against = peers.map((peer) => `${of(peer, 'cpu').toFixed(0)} µs | ${(cpu / of(peer, 'cpu')).toFixed(2)}`);
  show(`| ${name} | ${cpu.toFixed(0)} µs | ${against.join(' | ')} |`);
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

/** Ours against oidc-provider, in turns, in one run; then introspection among many live tokens. */
export async function run(options) {
  const live = Number(options.find((option) => /^--tokens=\d+$/.test(option))?.split('=')[1] ?? 0);
  const store = await startProcess(new URL('./store.mjs', import.meta.url));
  const mongodbUrl = await store.call('url');
  const sides = [];
  for (const { file, about } of contenders) {
    const process = await startProcess(new URL(`./${file}`, import.meta.url));
    const side = { process, about: await process.call('start', { mongodbUrl, ...about }), rounds: [] };
    await round(side);
    sides.push(side);
  }
  for (let count = 0; count < rounds; count += 1) {
    for (const side of sides) side.rounds.push(await round(side));
    show(`round ${count + 1} of ${rounds}`);
  }
  show(`\nCPU of the serving process per request, median of ${rounds} rounds of ${perRound}, ${atOnce} at once`);
  show(`| operation | ours | ${peers.map((peer) => `oidc-provider, ${peer} | ratio`).join(' | ')} |`);
  show(`|---|---|${'---|---|'.repeat(peers.length)}`);
  for (const name of ['code', 'refresh', 'exchange', 'introspection']) report(name, sides);
  if (live > 0) await amongMany(sides[0], live);
  for (const { process } of sides) process.stop();
  store.stop();
}

async function amongMany(ours, live) {
  const few = median(ours.rounds.map(({ introspection }) => introspection.p50));
  const stored = await ours.process.call('fill', { count: live, like: ours.rounds[0].like });
  const times = [];
  for (let count = 0; count < rounds; count += 1) times.push((await round(ours)).introspection.p50);
  const many = median(times).toFixed(2);
  show(
    `\nIntrospection p50, median of ${rounds} rounds: ${few.toFixed(2)} ms among few tokens, ${many} ms among ${stored}`,
  );
  show(`Each round among many: ${times.map((time) => time.toFixed(2)).join(', ')}`);
}
