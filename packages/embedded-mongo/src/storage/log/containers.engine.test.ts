import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

let directory: string;
let children: ChildProcess[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'embedded-containers-'));
});
afterEach(async () => {
  await Promise.all(children.map(kill));
  children = [];
  await rm(directory, { recursive: true, force: true });
});

/** A server with process id 1 in its own PID namespace, like the main process of a container. */
function startContained(): ChildProcess {
  const server = join(__dirname, '../../test-process.cjs');
  const command = ['--pid', '--fork', '--mount-proc', '--kill-child', process.execPath, server, directory];
  const child = spawn('unshare', command, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

const firstLine = async (child: ChildProcess): Promise<string> =>
  String(await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), once(child, 'exit')]));

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

test('a second container cannot open the same directory until the first is killed', async () => {
  const first = startContained();
  expect(await firstLine(first)).toMatch(/^mongodb:/);
  const second = startContained();
  const said = text(second.stderr as NodeJS.ReadableStream);
  expect(await firstLine(second)).not.toMatch(/^mongodb:/);
  expect(await said).toMatch('is in use by another process');
  await kill(first);
  expect(await firstLine(startContained())).toMatch(/^mongodb:/);
});
