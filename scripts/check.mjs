// All static checks: formatting, types, lint rules, import directions, unused code, prose. A check that passed is skipped
// while its inputs have the same content. A fresh clone, such as in CI, has no results yet: in `.ci/run` with a base that
// passed, format and lint rules are checked in the files that the change reaches, everything else whole.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import './schema-types.mjs';
import { digestOf, isCode, loads, readTree, remember, remembered } from './check-inputs.mjs';
import { root, say } from './prepare.mjs';
import { changedInReach } from './reach.mjs';

const parts = ['shared', 'gateway', 'services', 'console'];
const isSetting = (path) => path.endsWith('.json');
const cached = (name) => ['--cache', '--cache-strategy', 'content', '--cache-location', `node_modules/.cache/${name}`];
const code = (files) => digestOf(files, (path) => isCode(path) || isSetting(path) || path.endsWith('.graphql'));
const tree = readTree();
const changed = changedInReach(tree);
/** What a check that looks at each file by itself is given; nothing when none of them has changed. */
const paths = (select) => (changed ? changed.filter((path) => tree.has(path) && select(path)) : ['.']);
/** The longest first, since two run at once. */
const checks = {
  rules: {
    command: ['eslint', '--max-warnings=0', '--no-warn-ignored', ...cached('eslint')],
    paths: paths(isCode),
    digest: code,
  },
  'typed rules': { command: ['node', 'scripts/typed-rules.mjs'], digest: code },
  types: { command: ['tsc'], digest: code },
  'types of the console': { command: ['tsc', '-p', 'console/browser'], digest: code },
  directions: cruise([...parts, 'embedded', 'packages', 'e2e'], '.dependency-cruiser.cjs'),
  modules: cruise(parts, '.dependency-cruiser.modules.cjs'),
  format: {
    command: ['prettier', '--check', '--log-level=warn', '--ignore-unknown', ...cached('prettier/checked')],
    paths: paths(() => true),
    digest: (files) => digestOf(files, () => true),
  },
  prose: { command: ['node', 'scripts/prose.mjs'], digest: (files) => digestOf(files, (path) => path.endsWith('.md')) },
  'unused code': { command: ['knip', '--cache'], digest: (files) => digestOf(files, (path) => !path.endsWith('.md')) },
};
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

/** Prints the whole output of a check, followed by its verdict. */
async function run(name, { command, paths: given = undefined, digest }) {
  const now = tree && digest(tree);
  if (now !== undefined && before[name] === now) {
    say(`ok   ${name} (nothing that it reads has changed)`);
    return;
  }
  if (given?.length === 0) {
    say(`ok   ${name} (no file that it reads has changed)`);
    return;
  }
  const started = Date.now();
  const [program, ...args] = [...command, ...(given ?? [])];
  const file = program === 'node' ? process.execPath : join(root, 'node_modules/.bin', program);
  const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise((resolve) => child.on('close', resolve));
  const printed = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  const isGood = (await exited) === 0;
  if (printed.trim()) say(printed.trimEnd());
  say(`${isGood ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (!isGood) process.exitCode = 1;
  // A file may have been edited during the check, so its result is stored only if the digest is unchanged. A part proves
  // nothing to a run of all.
  if (now !== undefined && !changed) found[name] = isGood && digest(readTree()) === now ? now : undefined;
}

const waiting = Object.entries(checks);
async function runNext() {
  for (let next = waiting.shift(); next; next = waiting.shift()) await run(...next);
}
await Promise.all([runNext(), runNext()]);
remember('passed', found);
