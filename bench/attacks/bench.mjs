import { createRequire } from 'node:module';
import { request } from 'node:http';
import { startProcess } from '../measure.mjs';

const load = createRequire(import.meta.url);
load('esbuild-register/dist/node').register({ target: 'node20' });
const { attacks } = load('../../gateway/src/testing/attacks.ts');

const attempts = 40;
const mostMilliseconds = { 'at first sight': 50, repeated: 25 };
const megabyte = 1024 * 1024;
/** Distinct documents, each sent twice; an unbounded cache would exceed the limit by half. */
const kept = { count: 36, mostMegabytes: 24 };
/** Documents that are sent once, to a gateway with the deployed heap. */
const askedOnce = { batches: 20, atOnce: 20, mostMegabytes: 15 };
const show = (text) => process.stdout.write(`${text}\n`);

export async function run() {
  process.env['NODE_ENV'] = 'production';
  const tooMuch = [...(await runCpu()), ...(await runHeap())];
  for (const name of tooMuch) show(`Too much: ${name}`);
  if (tooMuch.length > 0) process.exit(1);
}

/** CPU of the gateway per refused document: the minimum of several attempts, since garbage collection adds noise. */
async function runCpu() {
  const services = await startProcess(new URL('../gateway/services.mjs', import.meta.url));
  const gateway = await startProcess(new URL('../gateway/ours.mjs', import.meta.url));
  const about = await gateway.call('start', { services: await services.call('start'), executor: 'compiled' });
  const rows = [];
  let turn = 0;
  for (const [name, document] of attacks) {
    const least = { 'at first sight': Infinity, repeated: Infinity };
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      for (const kind of Object.keys(least)) {
        const query = kind === 'repeated' ? document : `${document} # ${attempt}`;
        turn += 1;
        const before = await gateway.call('cpu');
        const { errors, data } = await call(about, about.tokens[turn % about.tokens.length], query);
        least[kind] = Math.min(least[kind], ((await gateway.call('cpu')) - before) / 1_000);
        if (!errors || data) throw new Error(`Not refused: ${name}`);
      }
    }
    rows.push({ name, least });
  }
  show(
    `CPU of the gateway's process, milliseconds, least of ${attempts} calls; not more than 50 at first sight, 25 when repeated`,
  );
  show('| document | at first sight | repeated |\n|---|---:|---:|');
  for (const { name, least } of rows.sort((a, b) => b.least['at first sight'] - a.least['at first sight']))
    show(`| ${name} | ${least['at first sight'].toFixed(1)} | ${least.repeated.toFixed(1)} |`);
  for (const child of [gateway, services]) child.stop();
  const isSlow = ({ least }) => Object.entries(mostMilliseconds).some(([kind, most]) => least[kind] >= most);
  return rows.filter(isSlow).map(({ name }) => name);
}

/** The heap that remains for documents that nobody sends again. */
async function runHeap() {
  const rows = [];
  const documents = await startProcess(new URL('./documents.mjs', import.meta.url), ['--expose-gc']);
  for (const name of await documents.call('names')) {
    const grown = await documents.call('growth', { name, count: kept.count });
    rows.push({ name: `${kept.count} documents with many ${name}, asked for twice`, grown, most: kept.mostMegabytes });
  }
  documents.stop();
  const { batches, atOnce, mostMegabytes: most } = askedOnce;
  rows.push({ name: `${batches * atOnce} small documents, asked for once`, grown: await growthOfGateway(), most });
  show('\nMegabytes of heap that stay in use');
  show('| documents | in use | at most |\n|---|---:|---:|');
  for (const { name, grown, most } of rows) show(`| ${name} | ${(grown / megabyte).toFixed(1)} | ${most} |`);
  return rows.filter(({ grown, most }) => grown >= most * megabyte).map(({ name }) => name);
}

async function growthOfGateway() {
  const services = await startProcess(new URL('../gateway/services.mjs', import.meta.url));
  const gateway = await startProcess(new URL('../gateway/ours.mjs', import.meta.url), ['--expose-gc']);
  const about = await gateway.call('start', { services: await services.call('start'), executor: 'compiled' });
  const ask = async (batch) => {
    const one = (i) => call(about, about.tokens[batch], `{ nothing${batch}_${i} }`);
    await Promise.all(Array.from({ length: askedOnce.atOnce }, (_none, i) => one(i)));
  };
  // Warm-up: the first calls load and compile code.
  await ask(askedOnce.batches);
  const before = await gateway.call('heap');
  for (let batch = 0; batch < askedOnce.batches; batch += 1) await ask(batch);
  const grown = (await gateway.call('heap')) - before;
  for (const child of [gateway, services]) child.stop();
  return grown;
}

function call({ port, path }, token, query) {
  const body = JSON.stringify({ query, operationName: query.includes('query A') ? 'A' : null });
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, 'X-Service-Account': 'wdc' };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve(JSON.parse(text));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
