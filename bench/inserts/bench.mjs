import { drive, median } from '../measure.mjs';
import { startSides } from '../sides.mjs';
import { asInCompose, startMongodb } from '../stores.mjs';

const show = (line) => process.stdout.write(`${line}\n`);

/**
 * CPU of new requests, of the graph service and of MongoDB, in this checkout and in another one, in alternating turns:
 * created one by one through GraphQL, and inserted in bulk as by an import. `--before=` is a compiled checkout of another
 * release; `--turns=`, `--count=` records of each kind in a turn, `--only=bulk`.
 */
export async function run(options) {
  const option = (name, usual) => options.find((each) => each.startsWith(`--${name}=`))?.split('=')[1] ?? usual;
  const [turns, count] = [Number(option('turns', 5)), Number(option('count', 1_000))];
  const works = { ...(option('only') !== 'bulk' && { 'one by one': create }), 'in bulk': insert };
  const store = await startMongodb(asInCompose);
  const started = await startSides(option('before'), new URL('./service.mjs', import.meta.url), (name) => ({
    mongodbUrl: store.url(`inserts_${name}`),
  }));
  const sides = started.map((side) => ({ ...side, used: {} }));
  for (let turn = 0; turn <= turns; turn += 1)
    for (const side of turn % 2 === 0 ? sides : [...sides].reverse())
      for (const [kind, work] of Object.entries(works)) {
        const before = await cpuOf(side);
        await work(side);
        const used = (await cpuOf(side)).map((cpu, n) => (cpu - before[n]) / count);
        show(`turn ${turn}, ${kind}, ${side.name}: ${used.map((cpu) => `${cpu.toFixed(0)} µs`).join(' and ')}`);
        // The first turn is a warm-up.
        if (turn > 0) side.used[kind] = [...(side.used[kind] ?? []), used];
      }
  show(`CPU of a new request, median of ${turns} turns of ${count}`);
  show('\n| Created | Release | graph | MongoDB | Together | Ratio, of turns |\n|---|---|---:|---:|---:|---|');
  for (const kind of Object.keys(sides[0].used))
    for (const side of sides) {
      const all = side.used[kind];
      const sums = all.map(([graph, mongodb]) => graph + mongodb);
      const ratios = sums.map((sum, n) => sum / total(sides[0].used[kind][n])).sort((a, b) => a - b);
      const shown = [median(all.map(([graph]) => graph)), median(all.map(([, mongodb]) => mongodb)), median(sums)];
      const span = `${median(ratios).toFixed(2)} (${ratios[0].toFixed(2)} to ${ratios.at(-1).toFixed(2)})`;
      show(`| ${kind} | ${side.name} | ${shown.map((cpu) => `${cpu.toFixed(0)} µs`).join(' | ')} | ${span} |`);
    }
  for (const side of sides) side.service.stop();
  store.stop();

  async function cpuOf({ service }) {
    return [await service.call('cpu'), await store.cpu()];
  }

  async function create({ service, url, token }) {
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
      'X-Service-Account': 'bench',
    };
    const numbers = Array.from({ length: count }, (_none, n) => n);
    await drive(numbers, 4, async (n) => {
      const input = `subject: "Printer ${n} is on fire", impact: low, status: in_progress`;
      const query = `mutation { requestCreate(input: { ${input} }) { request { id } errors { message } } }`;
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
      const { data, errors } = await response.json();
      if (!data?.requestCreate.request) throw new Error(JSON.stringify(errors ?? data));
    });
    await service.call('settle');
  }

  async function insert({ service }) {
    await service.call('insert', { count });
  }
}

const total = ([graph, mongodb]) => graph + mongodb;
