import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../peers/', import.meta.url));

/** Installs the compared packages, separately from the platform, when missing or older than their lock file. */
export function ensurePeers() {
  const installed = `${folder}node_modules/.package-lock.json`;
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${folder}package-lock.json`).mtimeMs) return;
  process.stderr.write('Installing the gateways to compare with; this takes about a minute…\n');
  const options = ['ci', '--prefix', folder, '--no-fund', '--no-audit', '--loglevel=error'];
  if (spawnSync('npm', options, { stdio: 'inherit' }).status !== 0) throw new Error('the peers could not be installed');
}
