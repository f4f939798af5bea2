import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) stop(`Node.js 20.19 or newer is needed; this is ${process.version}.`);

/** Installs what the lock file names when `node_modules` is missing or older than it. */
export function ensureInstalled() {
  const installed = join(root, 'node_modules/.package-lock.json');
  const locked = join(root, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(locked).mtimeMs) return;
  say('Installing dependencies; this takes about a minute…');
  const npm = spawnSync('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], { cwd: root, stdio: 'inherit' });
  if (npm.status !== 0) stop('The dependencies could not be installed; the lines above say why.');
}

/** Installs and compiles what changed: all that a fresh clone needs before it can run. */
export async function prepare() {
  ensureInstalled();
  const { build } = await import('./build.mjs');
  const count = build();
  if (count > 0) say(`Compiled ${count} files.`);
}

export function say(text) {
  process.stderr.write(`${text}\n`);
}

export function stop(text) {
  say(text);
  process.exit(1);
}
