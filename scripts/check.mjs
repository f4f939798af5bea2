// All static checks: formatting, types, lint rules, import directions, unused code. A check that passed is skipped
// while its inputs have the same content; a fresh clone, such as in CI, has no results yet.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { closureOf, digestOf, importsOf, isCode, loads, readTree, remember, remembered } from './check-inputs.mjs';
import { ensureInstalled, root, say } from './prepare.mjs';

ensureInstalled();
const { makeSchemaTypes } = await import('../console/build.mjs');
makeSchemaTypes();

const parts = ['shared', 'gateway', 'services', 'console'];
const isSetting = (path) => path.endsWith('.json');
const cached = (name) => ['--cache', '--cache-strategy', 'content', '--cache-location', `node_modules/.cache/${name}`];
const checks = {
  // Both detect changes themselves.
  types: { command: ['tsc', '-b'] },
  rules: { command: ['node', 'scripts/rules.mjs'] },
  'types of the console': { command: ['tsc', '-p', 'console/browser', '--incremental'], digest: digestOfBrowser },
  directions: cruise([...parts, 'embedded', 'e2e'], '.dependency-cruiser.cjs'),
  modules: cruise(parts, '.dependency-cruiser.modules.cjs'),
  format: {
    command: ['prettier', '--check', '--log-level=warn', ...cached('prettier/checked'), '.'],
    digest: (files) => digestOf(files, () => true),
  },
  'unused code': { command: ['knip', '--cache'], digest: (files) => digestOf(files, (path) => !path.endsWith('.md')) },
};
const tree = readTree();
const before = remembered('passed');
const found = { ...before };

/** Import lines are all that it reads of a module. */
function cruise(folders, configuration) {
  const part = (path, content) => {
    if (path.startsWith('.dependency-cruiser') || isSetting(path)) return content;
    return isCode(path) ? loads(content) : '';
  };
  return {
    command: ['depcruise', ...folders, '--config', configuration],
    digest: (files) => digestOf(files, () => true, part),
  };
}

function digestOfBrowser(files) {
  const browser = [...files.keys()].filter((path) => path.startsWith('console/browser/'));
  const read = closureOf(importsOf(files), browser);
  return digestOf(files, (path) => read.has(path) || isSetting(path) || path === 'console/schema.graphql');
}

/** Prints the whole output of a check, followed by its verdict. */
async function passes(name, { command, digest }) {
  const now = tree && digest?.(tree);
  if (now !== undefined && before[name] === now) {
    say(`ok   ${name} (nothing that it reads has changed)`);
    return true;
  }
  const started = Date.now();
  const [program, ...args] = command;
  const file = program === 'node' ? process.execPath : join(root, 'node_modules/.bin', program);
  const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise((resolve) => child.on('close', resolve));
  const printed = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  const isGood = (await exited) === 0;
  if (printed.trim()) say(printed.trimEnd());
  say(`${isGood ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (!isGood) process.exitCode = 1;
  // A file may have been edited during the check, so its result is stored only if the digest is unchanged.
  if (now !== undefined) found[name] = isGood && digest(readTree()) === now ? now : undefined;
  return isGood;
}

/** The lint rules read types from the output of `tsc`, so they run after it, and store nothing when it failed. */
async function runTypesAndRules() {
  const { types, rules } = checks;
  if (!(await passes('types', types))) rules.command.push('--forget');
  await passes('rules', rules);
}

async function runOthers() {
  for (const [name, check] of Object.entries(checks)) if (!['types', 'rules'].includes(name)) await passes(name, check);
}

await Promise.all([runTypesAndRules(), runOthers()]);
remember('passed', found);
