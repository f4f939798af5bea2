import { ReadableStream } from 'node:stream/web';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess } from '../measure.mjs';
import { storeOf } from '../stores.mjs';
import { importPeople } from './people.mjs';

const show = (line) => process.stdout.write(`${line}\n`);
const rowsPerPiece = 10_000;
const boundary = 'bench-boundary';

/** Megabytes of resident memory, now or at most (Linux). */
const residentOf = (pid, most) =>
  Number(
    new RegExp(`^Vm${most ? 'HWM' : 'RSS'}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1],
  ) / 1024;

/**
 * Requests by the file: imported as new ones, exported, and imported again, which finds each of them unchanged. Rows a
 * second from the call to its end, processor time of the service and of MongoDB, and resident memory of the service,
 * which is fresh for each. `--rows=`, `--store=embedded`, `--profile=<folder>` for a processor profile.
 * With `--people` they are people, through the whole platform, and with `--one-process` through `npm start`.
 */
export async function run(options) {
  const option = (name, usual) => options.find((each) => each.startsWith(`--${name}=`))?.split('=')[1] ?? usual;
  if (options.includes('--people')) return importPeople(Number(option('rows', 10_000)), options);
  const rows = Number(option('rows', 100_000));
  const folder = option('profile');
  const store = await storeOf([...options, '--journal=5']);
  show(
    `| ${rows.toLocaleString('en')} rows | Rows/s | CPU of the service | CPU of the store | RSS before | at each quarter | most |`,
  );
  show('|---|---:|---:|---:|---:|---|---:|');
  for (const [name, work] of Object.entries({
    'import, new': importFile,
    export: exportFile,
    'import, the same': importFile,
  })) {
    const service = await startProcess(
      new URL('./service.mjs', import.meta.url),
      folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [],
    );
    const { origin, token } = await service.call('start', { mongodbUrl: store.url('data') });
    const side = { origin, rows, headers: { Authorization: `Bearer ${token}`, 'X-Service-Account': 'bench' } };
    const before = residentOf(service.pid);
    const used = [await service.call('cpu'), await store.cpu()];
    const [started, quarters] = [performance.now(), []];
    const noteRows = (done) => {
      if (done >= ((quarters.length + 1) * rows) / 4) quarters.push(residentOf(service.pid).toFixed(0));
    };
    await work(side, noteRows);
    const seconds = (performance.now() - started) / 1000;
    const cpu = [(await service.call('cpu')) - used[0], (await store.cpu()) - used[1]];
    const perRow = cpu.map((microseconds) => `${(microseconds / rows).toFixed(1)} µs`).join(' | ');
    const rate = Math.round(rows / seconds).toLocaleString('en');
    const memory = `${before.toFixed(0)} MB | ${quarters.join(', ')} | ${residentOf(service.pid, true).toFixed(0)} MB`;
    show(`| ${name} | ${rate} | ${perRow} | ${memory} |`);
    if (folder) await service.call('end').catch(() => undefined);
    else service.stop();
  }
  store.stop();
}

async function json(response) {
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

/** The form with the file, in pieces. */
async function* formOf(rows) {
  yield `--${boundary}\r\nContent-Disposition: form-data; name="type"\r\n\r\nrequest\r\n`;
  yield `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="requests.csv"\r\n\r\n`;
  yield 'Subject,Category,Impact,Status,Source,Source ID\n';
  for (let first = 0; first < rows; first += rowsPerPiece) {
    const lines = Array.from({ length: Math.min(rowsPerPiece, rows - first) }, (_none, n) => lineOf(first + n));
    yield lines.join('');
  }
  yield `\r\n--${boundary}--\r\n`;
}

const statuses = ['on_backlog', 'assigned', 'accepted', 'in_progress'];
const lineOf = (n) => `Printer ${n} on floor ${n % 40} is on fire,incident,low,${statuses[n % 4]},bench,${n}\n`;

async function importFile({ origin, headers, rows }, noteRows) {
  const sent = await fetch(`${origin}/v1/import`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: ReadableStream.from(bytesOf(formOf(rows))),
    duplex: 'half',
  });
  const { token } = await json(sent);
  for (;;) {
    const shown = await json(await fetch(`${origin}/v1/import/${token}`, { headers }));
    noteRows(shown.line - 1);
    if (shown.state === 'done' && shown.results.failures === 0) return;
    if (!['queued', 'processing'].includes(shown.state)) throw new Error(JSON.stringify(shown));
    await sleep(100);
  }
}

async function* bytesOf(texts) {
  for await (const text of texts) yield Buffer.from(text);
}

/** Memory is noted by time, since the rows of packed bytes are not known: a line of the archive has about 33 bytes. */
async function exportFile({ origin, headers, rows }, noteRows) {
  const asked = await fetch(`${origin}/v1/export`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'requests' }),
  });
  const { token } = await json(asked);
  const answer = await fetch(`${origin}/v1/export/${token}/file`, { headers });
  let bytes = 0;
  for await (const piece of answer.body) {
    bytes += piece.length;
    noteRows(bytes / bytesOfRow);
  }
  noteRows(rows);
  if (!answer.ok) throw new Error(`answered with ${answer.status}`);
}

const bytesOfRow = 33;
