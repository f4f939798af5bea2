// Everything about the sources that a program can judge: formatting, types, rules, directions, unused code.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ensureInstalled, root, say } from './prepare.mjs';

ensureInstalled();
const { makeSchemaTypes } = await import('../console/build.mjs');
makeSchemaTypes();
const sources = ['shared', 'gateway', 'services', 'console', 'embedded', 'e2e'];
/** Of files that did not change, what was found before; a fresh clone, such as that of CI, has nothing found before. */
const cache = (name) => `node_modules/.cache/${name}`;
const byContent = (name) => ['--cache', '--cache-strategy', 'content', '--cache-location', cache(name)];
const byModule = (name) => ['--cache', cache(name), '--cache-strategy', 'content'];
const checks = {
  rules: ['eslint', '.', '--max-warnings=0', ...byContent('eslint/')],
  types: ['tsc', '-b'],
  'types of the console': ['tsc', '-p', 'console/browser', '--incremental'],
  directions: ['depcruise', ...sources, '--config', '.dependency-cruiser.cjs', ...byModule('directions')],
  modules: [
    'depcruise',
    'shared',
    'gateway',
    'services',
    'console',
    '--config',
    '.dependency-cruiser.modules.cjs',
    ...byModule('modules'),
  ],
  format: ['prettier', '--check', '--log-level=warn', ...byContent('prettier/checked'), '.'],
  'unused code': ['knip', '--cache'],
};

/** Each takes the next check when it has finished one; what a check printed comes whole, with its verdict below. */
async function runNext() {
  for (const [name, command] of waiting) if (!(await passes(name, command))) process.exitCode = 1;
}

async function passes(name, [program, ...args]) {
  const started = Date.now();
  const child = spawn(join(root, 'node_modules/.bin', program), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise((resolve) => child.on('close', resolve));
  const printed = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  const isGood = (await exited) === 0;
  if (printed.trim()) say(printed.trimEnd());
  say(`${isGood ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return isGood;
}

const waiting = Object.entries(checks).values();
// Two cores; the rules take as long as all the others together, and so come first.
await Promise.all([runNext(), runNext()]);
