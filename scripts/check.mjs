// Everything about the sources that a program can judge: formatting, types, rules, directions, unused code.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { ensureInstalled, root, say } from './prepare.mjs';

ensureInstalled();
const sources = ['shared', 'gateway', 'services', 'embedded', 'e2e'];
/** Of files that did not change, what was found before; a fresh clone, such as that of CI, has nothing found before. */
const cache = (name) => `node_modules/.cache/${name}`;
const byContent = (name) => ['--cache', '--cache-strategy', 'content', '--cache-location', cache(name)];
const byModule = (name) => ['--cache', cache(name), '--cache-strategy', 'content'];
const checks = {
  format: ['prettier', '--check', '--log-level=warn', ...byContent('prettier/checked'), '.'],
  types: ['tsc', '-b'],
  rules: ['eslint', '.', '--max-warnings=0', ...byContent('eslint/')],
  directions: ['depcruise', ...sources, '--config', '.dependency-cruiser.cjs', ...byModule('directions')],
  modules: [
    ...['depcruise', 'shared', 'gateway', 'services', '--config', '.dependency-cruiser.modules.cjs'],
    ...byModule('modules'),
  ],
  'unused code': ['knip', '--cache'],
};

/** One after another; what a check printed comes whole, with its verdict below. */
async function runAll(names) {
  const verdicts = [];
  for (const name of names) verdicts.push(await passes(name, checks[name]));
  return verdicts.every(Boolean);
}

async function passes(name, [command, ...args]) {
  const started = Date.now();
  const child = spawn('npx', ['--no-install', command, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise((resolve) => child.on('close', resolve));
  const printed = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  const isGood = (await exited) === 0;
  if (printed.trim()) say(printed.trimEnd());
  say(`${isGood ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return isGood;
}

// The rules take as long as all the others together.
const lanes = await Promise.all([
  runAll(['rules']),
  runAll(['types', 'directions', 'modules', 'unused code', 'format']),
]);
process.exit(lanes.every(Boolean) ? 0 : 1);
