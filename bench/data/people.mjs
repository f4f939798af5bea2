// People by the file, through the whole platform.
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { hasRunFromSources, processorTimes, startPlatform, until } from '../platform.mjs';

const load = createRequire(import.meta.url);
const show = (line) => process.stdout.write(`${line}\n`);
const account = 'wdc';
/** Not counted: this program, the commands of the operator, and the compiler of the sources. */
const others = ['bench', 'node', 'esbuild'];

/** `baseUrl`, the `headers` of an administrator, and `stop()`: all services as deployed, or all of them in one process. */
async function start(options) {
  if (options.includes('--one-process')) {
    const one = await load('../../e2e/src/oauth/testing/platform.ts').startPlatform();
    const { personal_access_token: token } = one.demo.accounts[account].administrator;
    const stop = () => one.stop().then(() => one.remove());
    return { baseUrl: one.origin, headers: { Authorization: `Bearer ${token}`, 'X-Service-Account': account }, stop };
  }
  const platform = await startPlatform({}, options);
  const { tokens } = await platform.tokensOf(account, 1);
  return { baseUrl: platform.baseUrl, headers: tokens[0], stop: platform.stop };
}

/**
 * People of a file: imported as new ones, and again with other names, and again as they are. Rows a second from the call to
 * the end of the import; the time until all processes are quiet again, since copies of people follow; and the processor time of
 * each process until then.
 */
export async function importPeople(rows, options) {
  if (hasRunFromSources('data', options)) return;
  const { baseUrl, headers, stop } = await start(options);
  await until('people who may call', async () => (await fetch(`${baseUrl}/v1/requests`, { headers })).status === 200);
  show(`| ${rows.toLocaleString('en')} people | Rows/s | All is quiet after | CPU, a row | of which |`);
  show('|---|---:|---:|---:|---|');
  await quiet();
  for (const [name, title] of Object.entries({ new: 'Dr', changed: 'Prof', 'the same': 'Prof' })) {
    const before = processorTimes();
    const began = performance.now();
    const since = () => (performance.now() - began) / 1000;
    await importFile({ baseUrl, headers }, fileOf(rows, title));
    const rate = Math.round(rows / since()).toLocaleString('en');
    const calmAfter = await quiet().then((at) => (at - began) / 1000);
    const used = Object.entries(processorTimes())
      .map(([process, all]) => [process, (all - (before[process] ?? 0)) / rows])
      .filter(([process, each]) => each >= 1 && !others.includes(process))
      .sort(([, one], [, other]) => other - one);
    const all = used.reduce((sum, [, each]) => sum + each, 0);
    const parts = used.map(([process, each]) => `${process} ${each.toFixed(0)}`).join(', ');
    show(`| import, ${name} | ${rate} | ${calmAfter.toFixed(1)} s | ${all.toFixed(0)} µs | ${parts} |`);
  }
  await stop();
}

const fileOf = (rows, title) =>
  [
    'Name,Primary email,Source,Source ID,Roles,Time zone',
    ...Array.from({ length: rows }, (_none, n) => `${title} Person ${n},p${n}@bench.example,HR,${n},specialist,UTC`),
  ].join('\n');

async function importFile({ baseUrl, headers }, text) {
  const body = new FormData();
  body.set('type', 'people');
  body.set('file', new Blob([text]), 'people.csv');
  const { token } = await (await fetch(`${baseUrl}/v1/import`, { method: 'POST', headers, body })).json();
  for (;;) {
    const answer = await fetch(`${baseUrl}/v1/import/${token}`, { headers });
    const shown = answer.ok ? await answer.json() : { state: 'queued' };
    if (shown.state === 'done' && shown.results.failures === 0) return;
    if (!['queued', 'processing'].includes(shown.state)) throw new Error(JSON.stringify(shown));
    await pause(250);
  }
}

/** When the processes together had begun to use less than a tenth of a core, for a second. */
async function quiet() {
  for (let calm = 0, began = performance.now(); ;) {
    const before = sum(processorTimes());
    const at = performance.now();
    await pause(250);
    const used = (sum(processorTimes()) - before) / (performance.now() - at) / 1000;
    if (used >= 0.1) calm = 0;
    else if ((calm += 1) === 1) began = at;
    else if (calm === 4) return began;
  }
}

const sum = (times) =>
  Object.entries(times).reduce((all, [name, time]) => (others.includes(name) ? all : all + time), 0);
