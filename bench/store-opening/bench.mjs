// npm run bench -- store-opening [documents]: the time to open a full data directory of the embedded store, and the
// memory afterwards.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const script = (name) => fileURLToPath(new URL(`../../packages/embedded-mongo/${name}`, import.meta.url));
const report = (line) => process.stdout.write(`${line}\n`);

export async function run([rows]) {
  const total = Number(rows ?? 1_000_000);
  const directory = await mkdtemp(join(tmpdir(), 'embedded-open-'));
  try {
    const filling = spawn(process.execPath, [script('bench/fill.cjs'), directory, String(total)], { stdio: 'inherit' });
    const [code] = await once(filling, 'exit');
    if (code !== 0) throw new Error('the directory could not be filled');
    const megabytes = (bytes) => Math.round(bytes / 1024 / 1024);
    report(
      `${total} documents with four indexes, a log of ${megabytes((await stat(join(directory, 'data.log'))).size)} MB`,
    );

    const started = performance.now();
    const server = spawn(process.execPath, [script('src/test-process.cjs'), directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(server.stdout, 'data');
    const seconds = (performance.now() - started) / 1000;
    const [, kilobytes] = (await readFile(`/proc/${server.pid}/status`, 'utf8')).match(/VmRSS:\s+(\d+)/);
    const [, , ...times] = (await readFile(`/proc/${server.pid}/stat`, 'utf8')).split(') ')[1].split(' ');
    const processor = (Number(times[9]) + Number(times[10])) / 100;
    report(`opened in ${seconds.toFixed(1)} s (${processor.toFixed(1)} s of processor time)`);
    report(`resident memory ${megabytes(Number(kilobytes) * 1024)} MB`);
    server.kill('SIGKILL');
    await once(server, 'exit');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
