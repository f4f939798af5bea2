import { createRequire } from 'node:module';
import { drive, median, percentile, startProcess } from '../measure.mjs';

const load = createRequire(import.meta.url);
const { formatCursor } = load('../../shared/dist/rest/cursor.js');
const { toNodeId } = load('../../shared/dist/ids/node-id.js');

const perRound = 50;
const fields = 'nodes { id subject status createdAt } pageInfo { hasNextPage endCursor }';

/** What is asked of a store of `records` requests; the small one has no depth of 50,000, so its cursor stands in its middle. */
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
    'Free text': `{ requests(first: 20, filter: { query: "printer ${depth}" }) { ${fields} } }`,
  };
}

async function startSide(records) {
  const process = await startProcess(new URL('./service.mjs', import.meta.url), ['--max-old-space-size=14000']);
  const { url, token } = await process.call('start', { records });
  const ask = async (query) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, 'X-Service-Account': 'bench' },
      body: JSON.stringify({ query }),
    });
    const { errors, data } = await response.json();
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };
  return { process, ask, url, token, records, questions: questionsFor(records), times: {}, used: {} };
}

const show = (text) => process.stdout.write(`${text}\n`);

/** Reads of the graph service among many requests against the same among few, in turns, in one run. */
export async function run(options) {
  const option = (name, usual) => Number(options.find((each) => each.startsWith(`--${name}=`))?.split('=')[1] ?? usual);
  const [many, rounds] = [option('records', 1_000_000), option('rounds', 5)];
  const sides = [];
  for (const records of [10_000, many]) {
    const started = performance.now();
    const side = await startSide(records);
    sides.push(side);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    show(`${records.toLocaleString('en')} requests stored in ${seconds} s, ${await side.process.call('memory')} MB`);
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
        const { times } = await drive(Array.from({ length: perRound }), 1, () => side.ask(side.questions[name]));
        // The first round warms up.
        if (round > 0) (side.times[name] ??= []).push(percentile(times, 0.5));
      }
    }
  }
  show(`\n| Query | 10,000 | ${many.toLocaleString('en')} | Ratio | Index |\n|---|---|---|---|---|`);
  for (const name of names) {
    const [few, lots] = sides.map((side) => median(side.times[name]));
    const index = [...new Set(sides.flatMap((side) => side.used[name].names))].join(', ');
    show(`| ${name} | ${few.toFixed(2)} ms | ${lots.toFixed(2)} ms | ${(lots / few).toFixed(2)} | \`${index}\` |`);
  }
  for (const side of sides) side.process.stop();
  await measureImport(option('rows', 100_000));
}

/** A file with one broken line, from the upload to the last record, and what it takes of the memory beside the records. */
async function measureImport(rows) {
  const { process, url, token } = await startSide(0);
  const answer = await process.call('import', { origin: new URL(url).origin, token, rows });
  const { seconds, cpuSeconds, results, rss } = answer;
  const rate = (per) => Math.round(rows / per).toLocaleString('en');
  show(
    `\n${rows.toLocaleString('en')} rows imported: ${rate(seconds)} rows/s, ${rate(cpuSeconds)} per second of CPU; ${JSON.stringify(results)}`,
  );
  show(`Memory grew by ${rss} MB, records and indexes of the store in the same process included`);
  process.stop();
}
