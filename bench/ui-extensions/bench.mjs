import { median, startProcess } from '../measure.mjs';
import { storeOf } from '../stores.mjs';

const sizes = [100, 10_000];
const rounds = 5;
const perRound = 10;
const sortFields = ['id', 'version_nr', 'status', 'created_at', 'updated_at'];
const most = 2;

const show = (text) => process.stdout.write(`${text}\n`);

async function get(url, token, accountId) {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}`, 'x-service-account': accountId } });
  const body = await response.json();
  if (!response.ok) throw new Error(`${url} answered ${response.status} ${JSON.stringify(body)}`);
  return { body, next: /<[^>?]*(\?[^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] };
}

/** The requested pages of an extension, by name. */
async function pagesOf({ origin, token, accountId }, { id, count }) {
  const path = `${origin}/v1/ui_extensions/${id}/versions`;
  const pages = new Map();
  for (const sort of sortFields.flatMap((field) => [field, `-${field}`])) {
    pages.set(`sort=${sort}`, `${path}?sort=${sort}`);
    // A client with page numbers gets numbered links, so the middle page is reached by cursors.
    let query = `?sort=${sort}&per_page=50`;
    for (let left = count / 2; left > 0; left -= 50) query = (await get(path + query, token, accountId)).next;
    pages.set(`sort=${sort}, cursor in the middle`, path + query.replace('per_page=50', 'per_page=20'));
  }
  return pages;
}

/** CPU of service and store for one request, in microseconds; waiting on a busy machine does not count. */
async function measure(service, store, work) {
  const cpu = async () => (await service.call('cpu')) + (await store.cpu());
  const before = await cpu();
  for (let count = 0; count < perRound; count += 1) await work();
  return ((await cpu()) - before) / perRound;
}

/** A page of versions of an extension with many against one with few, in turns, in one run. */
export async function run(options) {
  const store = await storeOf(options);
  const service = await startProcess(new URL('./ours.mjs', import.meta.url));
  const about = await service.call('start', { mongodbUrl: await store.url('ui-extensions') });
  const sides = [];
  for (const count of sizes) {
    const { id } = await service.call('extension', { versions: count });
    const pages = await pagesOf(about, { id, count });
    sides.push({ id, count, pages, seen: new Map([...pages.keys()].map((name) => [name, []])) });
  }
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of sides[0].pages.keys())
      for (const { pages, seen } of sides) {
        const microseconds = await measure(service, store, () => get(pages.get(name), about.token, about.accountId));
        if (round > 0) seen.get(name).push(microseconds);
      }
    if (round > 0) show(`round ${round} of ${rounds}`);
  }
  show(`\nCPU of service and store per page of 20, median of ${rounds} rounds of ${perRound}`);
  show(
    `| page | ${sizes.map((size) => `${size.toLocaleString('en')} versions`).join(' | ')} | ratio |\n|---|---|---|---|`,
  );
  let worst = 0;
  for (const name of sides[0].pages.keys()) {
    const [few, many] = sides.map(({ seen }) => median(seen.get(name)));
    worst = Math.max(worst, many / few);
    show(`| ${name} | ${few.toFixed(0)} µs | ${many.toFixed(0)} µs | ${(many / few).toFixed(2)} |`);
  }
  show(`\nworst ratio: ${worst.toFixed(2)} (at most ${most})\n\nindexes of the archive`);
  for (const { field, index, keys } of await service.call('plans', { id: sides[1].id }))
    show(`| ${field} | ${index} | ${keys} keys examined |`);
  service.stop();
  store.stop();
  if (worst > most) throw new Error(`a page takes ${worst.toFixed(2)} times as long`);
}
