// Everything about the sources that a program can judge: formatting, types, rules, directions, unused code. What passed is not judged again
// while all that it reads is the same, by content; a fresh clone, such as that of CI, has nothing that passed before.
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
  // Both know themselves what has changed.
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

/** Which module loads which, and nothing else of them. */
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

/** What a check printed comes whole, with its verdict below. */
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
  // Nothing is known of what was edited meanwhile.
  if (now !== undefined) found[name] = isGood && digest(readTree()) === now ? now : undefined;
  return isGood;
}

/** The rules read what the types of a file are from what `tsc` has written, and remember nothing where that may be wrong. */
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
