import { median } from '../measure.mjs';
import { startSides } from '../sides.mjs';
import { asInCompose, startMongodb } from '../stores.mjs';

const show = (line) => process.stdout.write(`${line}\n`);

const questions = {
  'a rare word': '4711',
  'a rare beginning': 'spreadsh 471',
  'a beginning that many titles have': 'print',
  'a part of a word that many titles have': 'inter',
  'a part of a word and a rare word': 'ternet 4711',
  'a part that no title has': 'nternat',
  'a part of a text without spaces': '打印机',
  'two parts of texts without spaces': '投影 会议',
};

/**
 * What words of titles cost, in this checkout and in another one: CPU of a new record in bulk, in alternating turns, bytes,
 * and CPU of lists by words. `--before=` is a compiled checkout of another release; `--records=` of a side, `--turns=`.
 */
export async function run(options) {
  const option = (name, usual) => options.find((each) => each.startsWith(`--${name}=`))?.split('=')[1] ?? usual;
  const [records, turns] = [Number(option('records', 100_000)), Number(option('turns', 10))];
  const store = await startMongodb(asInCompose);
  const started = await startSides(option('before'), new URL('./service.mjs', import.meta.url), (name) => ({
    mongodbUrl: store.url(`words_${name}`),
  }));
  const sides = started.map((side) => ({ ...side, used: [] }));
  const cpuOf = async ({ service }) => [await service.call('cpu'), await store.cpu()];
  const usedBy = async (side, count, work) => {
    const before = await cpuOf(side);
    await work();
    return (await cpuOf(side)).map((cpu, n) => (cpu - before[n]) / count);
  };
  const count = records / turns;
  for (let turn = 0; turn < turns; turn += 1)
    for (const side of turn % 2 === 0 ? sides : [...sides].reverse())
      side.used.push(await usedBy(side, count, () => side.service.call('insert', { count })));

  show(`${records.toLocaleString('en')} requests inserted in bulk, median of ${turns} turns; bytes for one of them`);
  show(
    '\n| | graph | MongoDB | Document | On the disk | Word index | Entries of it |\n|---|---:|---:|---:|---:|---:|---:|',
  );
  for (const { name, service, used } of sides) {
    const [graph, mongodb] = [0, 1].map((part) => median(used.map((one) => one[part])).toFixed(0));
    const { entries, ...bytes } = await service.call('sizes');
    const each = Object.values(bytes).map((size) => (size / records).toFixed(0));
    show(`| ${name} | ${graph} µs | ${mongodb} µs | ${each.join(' | ')} | ${entries.toFixed(1)} |`);
  }

  show(`\n| The first 20 by | ${sides.map(({ name }) => `${name}: found, graph, MongoDB`).join(' | ')} |`);
  show(`|---|${sides.map(() => '---:|').join('')}`);
  for (const [name, text] of Object.entries(questions)) {
    const cells = [];
    for (const side of sides) {
      const found = await ask(side, text);
      const times = [];
      for (let turn = 0; turn < 5; turn += 1)
        times.push(
          await usedBy(side, 20, async () => {
            for (let n = 0; n < 20; n += 1) await ask(side, text);
          }),
        );
      const [graph, mongodb] = [0, 1].map((part) => (median(times.map((one) => one[part])) / 1_000).toFixed(1));
      cells.push(`${found}, ${graph} ms, ${mongodb} ms`);
    }
    show(`| ${name} (\`${text}\`) | ${cells.join(' | ')} |`);
  }
  for (const { service } of sides) service.stop();
  store.stop();
}

async function ask({ url, token }, text) {
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${token}`,
    'X-Service-Account': 'bench',
  };
  const query = `{ requests(first: 20, filter: { query: ${JSON.stringify(text)} }) { nodes { id subject } } }`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const { data, errors } = await response.json();
  if (errors) throw new Error(`${text}: ${JSON.stringify(errors)}`);
  return data.requests.nodes.length;
}
