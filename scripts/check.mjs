// Everything about the sources that a program can judge: formatting, types, rules, directions, unused code.
import { spawnSync } from 'node:child_process';
import { ensureInstalled, root, say } from './prepare.mjs';

ensureInstalled();
const checks = [
  ['format', 'prettier', '--check', '--log-level=warn', '.'],
  ['types', 'tsc', '-b'],
  ['rules', 'eslint', '.', '--max-warnings=0'],
  [
    'directions',
    'depcruise',
    'shared',
    'gateway',
    'services',
    'embedded',
    'e2e',
    '--config',
    '.dependency-cruiser.cjs',
  ],
  ['unused code', 'knip'],
];
const failed = checks.filter(([name, command, ...args]) => {
  const started = Date.now();
  const { status } = spawnSync('npx', ['--no-install', command, ...args], { cwd: root, stdio: 'inherit' });
  say(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return status !== 0;
});
process.exit(failed.length === 0 ? 0 : 1);
