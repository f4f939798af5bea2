// node scripts/node24.mjs [jest arguments]: runs the tests on the version of Node.js that the images have. npm delivers
// it as a package, so nothing has to be installed on the machine.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const version = '24.9.0';
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, `node_modules/.cache/node-${version}`);
const node = join(folder, 'node_modules/node/bin/node');

function run(command, args, options = {}) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(node)) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  run('npm', ['install', '--no-audit', '--no-fund', `node@${version}`], { cwd: folder });
}
run(node, [join(root, 'scripts/test.mjs'), ...process.argv.slice(2)], { cwd: root });
