import { median } from '../measure.mjs';
import { startSides } from '../sides.mjs';
import { asInCompose, startMongodb } from '../stores.mjs';

const show = (line) => process.stdout.write(`${line}\n`);

/**
 * CPU of the list of webhook policies by REST, of the service and of MongoDB, in this checkout and in another one, in
 * alternating turns. `--before=` is a compiled checkout of another release; `--turns=`, `--count=` calls in a turn,
 * `--page=` policies in an answer. `--profile=` is a folder for the CPU profile of each.
 */
export async function run(options) {
  const option = (name, usual) => options.find((each) => each.startsWith(`--${name}=`))?.split('=')[1] ?? usual;
  const [turns, count, page] = [Number(option('turns', 9)), Number(option('count', 500)), Number(option('page', 100))];
  const folder = option('profile');
  const store = await startMongodb(asInCompose);
  const started = await startSides(option('before'), new URL('./service.mjs', import.meta.url), (name) => ({
    mongodbUrl: store.url(`policies_${name}`),
    policies: page,
  }));
  const sides = started.map((side) => ({ ...side, url: `${side.url}?per_page=${page}`, used: [] }));
  // The first turns are a warm-up.
  for (let turn = -2; turn < turns; turn += 1)
    for (const side of turn % 2 === 0 ? sides : [...sides].reverse()) {
      const before = await cpuOf(side);
      for (let call = 0; call < count; call += 1) await list(side);
      const used = (await cpuOf(side)).map((cpu, n) => (cpu - before[n]) / count);
      if (turn >= 0) side.used.push(used);
      if (folder && turn === -1) await side.service.call('profile');
    }
  if (folder)
    for (const { name, service } of sides) await service.call('profiled', { file: `${folder}/${name}.cpuprofile` });
  show(`CPU of a list of ${page} policies, median of ${turns} turns of ${count} calls`);
  show('\n| Release | webhooks | its ratio, of turns | MongoDB | Together, ratio of turns |\n|---|---:|---|---:|---|');
  for (const { name, used } of sides) {
    const of = (part) => used.map((one) => part(one));
    const columns = [([service]) => service, ([service, mongodb]) => service + mongodb].map((part) => {
      const ratios = of(part)
        .map((cpu, turn) => cpu / part(sides[0].used[turn]))
        .sort((a, b) => a - b);
      return `${median(ratios).toFixed(3)} (${ratios[0].toFixed(2)} to ${ratios.at(-1).toFixed(2)})`;
    });
    const [service, mongodb] = [0, 1].map((n) => `${median(of((one) => one[n])).toFixed(0)} µs`);
    show(`| ${name} | ${service} | ${columns[0]} | ${mongodb} | ${columns[1]} |`);
  }
  for (const { service } of sides) service.stop();
  store.stop();

  async function cpuOf({ service }) {
    return [await service.call('cpu'), await store.cpu()];
  }

  async function list({ url, token }) {
    const headers = { Authorization: `Bearer ${token}`, 'X-Service-Account': 'bench' };
    const response = await fetch(url, { headers });
    const found = await response.json();
    if (found.length !== page) throw new Error(JSON.stringify(found));
  }
}
