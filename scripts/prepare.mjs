import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) stop(`Node.js 20.19 or newer is needed; this is ${process.version}.`);

/**
 * Installs the packages of the lock file unless `node_modules` has them. Compares content, since timestamps change with
 * a copy.
 */
export function ensureInstalled() {
  if (holdsWhatIsLocked()) return;
  say('Installing dependencies; this takes about a minute…');
  const npm = spawnSync('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], { cwd: root, stdio: 'inherit' });
  if (npm.status !== 0) stop('The dependencies could not be installed; the lines above say why.');
}

function holdsWhatIsLocked() {
  const installedFile = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const { packages: installed } = readJson(installedFile);
  const { packages: locked } = readJson(join(root, 'package-lock.json'));
  // npm leaves out optional packages of other platforms, and does not list its own project.
  return Object.entries(locked).every(
    ([path, { version, integrity, link, resolved, optional }]) =>
      !path.includes('node_modules/') ||
      (path in installed ? isSame(installed[path], { version, integrity, ...(link && { resolved }) }) : optional),
  );
}

/** Of a workspace, which has no version here, its folder counts. */
const isSame = (installed, locked) => Object.entries(locked).every(([member, value]) => installed[member] === value);

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Installs and compiles what changed: all that a fresh clone needs to run. */
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
