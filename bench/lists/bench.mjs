import { drive, percentile, startProcess } from '../measure.mjs';
import { asInCompose, startMongodb } from '../stores.mjs';

const show = (line) => process.stdout.write(`${line}\n`);
/** A documented refusal. */
const isRefusal = ({ message }) => /takes too long|Too many records match|are ordered by/.test(message);

/**
 * Each view, filter, order and total of one type of record on MongoDB, and each pair of filters, one call at a time:
 * p50, p99, and what the store examined. `--records=`, `--type=`, `--calls=`; `--goal=` in milliseconds marks what is
 * slower, and `--all` shows every pair of filters instead of these only. `--only=Lists`, `--only=Totals` or `--only=pairs` asks these only.
 */
export async function run(options) {
  const option = (name, usual) => options.find((each) => each.startsWith(`--${name}=`))?.split('=')[1] ?? usual;
  const [records, calls, goal] = ['records', 'calls', 'goal'].map((name, n) =>
    Number(option(name, [1_000_000, 100, 50][n])),
  );
  const store = await startMongodb(asInCompose);
  const service = await startProcess(new URL('./service.mjs', import.meta.url));
  const typeName = option('type', 'request');
  const begun = performance.now();
  const { url, token, questions } = await service.call('start', { mongodbUrl: store.url('lists'), records, typeName });
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  show(`${records.toLocaleString('en')} records of the type ${typeName} stored and counted in ${seconds} s`);
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${token}`,
    'X-Service-Account': 'bench',
  };
  const ask = async (query) => {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
    const { errors = [] } = await response.json();
    if (!errors.every(isRefusal)) throw new Error(`${query}: ${JSON.stringify(errors)}`);
    return errors.length > 0;
  };
  const only = { pairs: 'Lists by two filters' }[option('only')] ?? option('only');
  for (const [group, asked] of Object.entries(questions)) {
    if (only && group !== only) continue;
    const rows = [];
    for (const { name, query } of asked) rows.push({ name, ...(await measure(query)) });
    report(group, rows, options.includes('--all') || !group.includes('two'));
  }
  service.stop();
  store.stop();

  async function measure(query) {
    await service.call('watch');
    await ask(query);
    const { keys, documents } = await service.call('examined');
    // Refused and slow questions are asked less often.
    const first = await drive([query], 1, ask);
    const times = first.times[0] > 10 * goal ? 4 : calls;
    const { times: all, results } = await drive(
      Array.from({ length: times }, () => query),
      1,
      ask,
    );
    return {
      keys,
      documents,
      p50: percentile(all, 0.5),
      p99: percentile(all, 0.99),
      refused: results.filter(Boolean).length,
    };
  }

  function report(group, rows, isWhole) {
    const slow = rows.filter(({ p99 }) => p99 > goal);
    show(`\n${group}: ${rows.length}; ${slow.length} with a p99 over ${goal} ms`);
    const shown = isWhole ? rows : slow;
    if (shown.length === 0) return;
    show('\n| Asked | p50 | p99 | Keys | Documents | Refused |\n|---|---:|---:|---:|---:|---:|');
    for (const { name, p50, p99, keys, documents, refused } of shown)
      show(
        `| ${name} | ${p50.toFixed(1)} ms | ${p99.toFixed(1)} ms${p99 > goal ? ' !' : ''} | ${keys} | ${documents} | ${refused} |`,
      );
  }
}
