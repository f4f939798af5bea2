import { createRequire } from 'node:module';
import { drive, median, percentile, startProcess } from '../measure.mjs';
import { startEmbedded, startMongodb } from '../stores.mjs';

const load = createRequire(import.meta.url);
const { formatCursor } = load('../../shared/dist/api/rest/cursor.js');
const { toNodeId } = load('../../shared/dist/base/ids/node-id.js');

const perRound = 50;
/** Rounds for queries that take a second on many records. */
const perRoundOfSlow = 4;
const isSlow = (name) => /never meet|count of two/.test(name);
const text = (query) => `{ requests(first: 20, filter: { query: "${query}" }) { ${fields} } }`;
const fields = 'nodes { id subject status createdAt } pageInfo { hasNextPage endCursor }';

/**
 * The queries on a store of `records` requests; the small store has no depth of 50,000, so its cursor is in the middle.
 */
function questionsFor(records) {
  const depth = Math.min(50_000, Math.floor(records / 2));
  const cursor = formatCursor([{ field: 'id', property: 'id', descending: false }], { key: [depth], page: 1 });
  const id = toNodeId('service.example', 'Request', depth);
  return {
    'First page': `{ requests(first: 20) { ${fields} } }`,
    'Page by cursor at depth 50,000': `{ requests(first: 20, after: "${cursor}") { ${fields} } }`,
    'Filtered and ordered page': `{ requests(first: 20, filter: { status: { values: ["in_progress"] } }, order: [{ field: updatedAt, direction: desc }]) { ${fields} } }`,
    'node(id)': `{ _entities(representations: [{ __typename: "Request", id: "${id}" }]) { ... on Request { id subject status } } }`,
    'Two fields in order': `{ requests(first: 20, order: [{ field: status, direction: desc }, { field: id }]) { ${fields} } }`,
    'Negated filter': `{ requests(first: 20, filter: { status: { values: ["completed"], negate: true } }) { ${fields} } }`,
    'Filter and an order without a common index': `{ requests(first: 20, filter: { category: { values: ["incident"] } }, order: [{ field: updatedAt }]) { ${fields} } }`,
    'Total count': `{ requests(first: 20, filter: { status: { values: ["in_progress"] } }) { totalCount } }`,
    'Free text, a common word and a rare one': text(`printer ${depth}`),
    'Free text, a common word and an absent one': text('printer zebra'),
    'Free text, two common words': text('printer floor'),
    'Free text, a word of half of them': text('left'),
    'Free text, words of a fortieth each that never meet': text('17 30'),
    'Free text, words of a half each that never meet': text('left right'),
    'Total count of two common words': `{ requests(first: 20, filter: { query: "printer left" }) { totalCount } }`,
  };
}

async function startSide(store, records) {
  const process = await startProcess(new URL('./service.mjs', import.meta.url));
  const mongodbUrl = await store.url(`graph_${records}`);
  const { url, token } = await process.call('start', { mongodbUrl, records });
  const ask = async (query) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, 'X-Service-Account': 'bench' },
      body: JSON.stringify({ query }),
    });
    const { errors } = await response.json();
    const isRefused = errors?.every(({ message }) => message.startsWith('The search takes too long')) ?? false;
    if (errors && !isRefused) throw new Error(JSON.stringify(errors));
    return { isRefused };
  };
  return {
    process,
    store,
    ask,
    url,
    token,
    records,
    questions: questionsFor(records),
    times: {},
    cpu: {},
    refused: {},
    used: {},
  };
}

/** Microseconds of service and store. */
const cpuOf = async ({ process, store }) => (await process.call('cpu')) + (await store.cpu());

const show = (line) => process.stdout.write(`${line}\n`);

/**
 * Reads of the graph service on many requests against few, on MongoDB and on the embedded store, in turns; `--store=`
 * selects one.
 */
export async function run(options) {
  const option = (name, usual) => Number(options.find((each) => each.startsWith(`--${name}=`))?.split('=')[1] ?? usual);
  const [many, rounds] = [option('records', 1_000_000), option('rounds', 5)];
  const sides = [];
  const stores = [];
  if (!options.includes('--store=embedded')) stores.push(await startMongodb());
  if (!options.includes('--store=mongodb')) stores.push(await startEmbedded());
  for (const store of stores)
    for (const records of [10_000, many]) {
      const started = performance.now();
      sides.push(await startSide(store, records));
      const seconds = ((performance.now() - started) / 1000).toFixed(0);
      show(`${records.toLocaleString('en')} requests stored in ${store.name} in ${seconds} s`);
    }
  const names = Object.keys(sides[0].questions);
  for (const side of sides) {
    for (const name of names) {
      await side.process.call('hear');
      await side.ask(side.questions[name]);
      side.used[name] = await side.process.call('indexes');
    }
  }
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      for (const side of sides) {
        const before = await cpuOf(side);
        const calls = Array.from({ length: isSlow(name) ? perRoundOfSlow : perRound });
        const { times, results } = await drive(calls, 1, () => side.ask(side.questions[name]));
        const cpu = ((await cpuOf(side)) - before) / calls.length / 1000;
        // The first round is a warm-up.
        if (round === 0) continue;
        side.times[name] = [...(side.times[name] ?? []), ...times];
        side.refused[name] = (side.refused[name] ?? 0) + results.filter(({ isRefused }) => isRefused).length;
        side.cpu[name] = [...(side.cpu[name] ?? []), cpu];
      }
    }
  }
  for (const store of stores)
    report(
      store,
      sides.filter((side) => side.store === store),
      names,
      many,
    );
  for (const side of sides) side.process.stop();
  for (const store of stores) await measureImport(store, option('rows', 100_000));
  for (const store of stores) store.stop();
}

function report({ name: storeName }, sides, names, many) {
  const count = many.toLocaleString('en');
  show(`\n| On ${storeName} | 10,000 | ${count} | Ratio | p99 at ${count} | CPU at 10,000 | CPU at ${count} | Index |`);
  show('|---|---|---|---|---|---|---|---|');
  for (const name of names) {
    const sorted = sides.map(({ times }) => times[name].sort((a, b) => a - b));
    const [few, lots] = sorted.map((times) => percentile(times, 0.5));
    const worst = percentile(sorted[1], 0.99).toFixed(1);
    const [cpuOfFew, cpuOfLots] = sides.map(({ cpu }) => `${median(cpu[name]).toFixed(2)} ms`);
    const index = [...new Set(sides.flatMap((side) => side.used[name].names))].join(', ');
    const p50 = `${few.toFixed(2)} ms | ${lots.toFixed(2)} ms | ${(lots / few).toFixed(2)}`;
    const refused = sides[1].refused[name] > 0 ? ` (${sides[1].refused[name]} of ${sorted[1].length} refused)` : '';
    show(`| ${name}${refused} | ${p50} | ${worst} ms | ${cpuOfFew} | ${cpuOfLots} | \`${index}\` |`);
  }
}

/** Imports a file with one malformed line, from the upload to the last record. */
async function measureImport(store, rows) {
  const { process, url, token } = await startSide(store, 0);
  const before = await store.cpu();
  const { seconds, cpuSeconds, results, rss } = await process.call('import', {
    origin: new URL(url).origin,
    token,
    rows,
  });
  const all = cpuSeconds + ((await store.cpu()) - before) / 1e6;
  const rate = (per) => Math.round(rows / per).toLocaleString('en');
  show(
    `\n${rows.toLocaleString('en')} rows imported into ${store.name}: ${rate(seconds)} rows/s, ${rate(all)} per second of CPU of`,
  );
  show(
    `service and store (${rate(cpuSeconds)} of the service alone); ${JSON.stringify(results)}; memory of the service +${rss} MB`,
  );
  process.stop();
}
