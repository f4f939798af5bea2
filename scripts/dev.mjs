// Runs the platform and restarts it when a source changes.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, say } from './prepare.mjs';

await prepare();
const { build } = await import('./build.mjs');
let platform = start();
let waiting;
for (const folder of ['shared', 'gateway', 'services', 'embedded', 'packages']) {
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (!file?.endsWith('.ts')) return;
    clearTimeout(waiting);
    waiting = setTimeout(restart, 200);
  });
}

function start() {
  return spawn(process.execPath, ['--enable-source-maps', 'embedded/dist/main.js'], { cwd: root, stdio: 'inherit' });
}

function restart() {
  try {
    if (build() === 0) return;
  } catch (error) {
    say(String(error));
    return;
  }
  platform.once('exit', () => {
    platform = start();
  });
  platform.kill('SIGTERM');
}
