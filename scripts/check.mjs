// All static checks: formatting, types, lint rules, import directions, unused code, prose. A check that passed is skipped
// while its inputs have the same content. A fresh clone, such as in CI, has no results yet: in `.ci/run` with a base that
// passed, format and lint rules are checked in the files that the change reaches, everything else whole.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import './schema-types.mjs';
import { digest, digestOf, isCode, loads, readTree, remember, remembered } from './check-inputs.mjs';
import { root, say } from './prepare.mjs';
import { changedInReach } from './reach.mjs';

const parts = ['shared', 'gateway', 'services', 'console'];
const isSetting = (path) => path.endsWith('.json');
const cached = (name) => ['--cache', '--cache-strategy', 'content', '--cache-location', `node_modules/.cache/${name}`];
const code = (files) => digestOf(files, (path) => isCode(path) || isSetting(path) || path.endsWith('.graphql'));
const tree = readTree();
const changed = changedInReach(tree);
/** What the result for a file depends on besides the file, where a check looks at each by itself. */
const settings = tree && digestOf(tree, (path) => /^(eslint\.config\.mjs|\.prettier|\.gitignore)/.test(path));
const keyOf = (path, content) => digest([settings, path, content]);
const passed = remembered('files');
/**
 * What such a check is given: the files that have changed since the base, or since they passed. All when git fails, with
 * the cache of the tool, which keeps what passed when another file did not.
 */
function paths(name, select) {
  const whole = ['.', ...cached(name)];
  if (!tree) return whole;
  if (changed) return changed.filter((path) => tree.has(path) && select(path));
  const all = [...tree.keys()].filter(select);
  const stale = all.filter((path) => passed[name]?.[path] !== keyOf(path, tree.get(path)));
  return stale.length === all.length ? whole : stale;
}
/** The longest first, since two run at once. */
const checks = {
  types: { command: ['tsc'], digest: code },
  'typed rules': { command: ['node', 'scripts/typed-rules.mjs'], after: 'types', digest: code },
  rules: {
    command: ['eslint', '--max-warnings=0', '--no-warn-ignored'],
    paths: paths('rules', isCode),
    digest: code,
  },
  'types of the console': { command: ['tsc', '-p', 'console/browser'], digest: code },
  directions: cruise([...parts, 'embedded', 'packages', 'e2e'], '.dependency-cruiser.cjs'),
  modules: cruise(parts, '.dependency-cruiser.modules.cjs'),
  format: {
    command: ['prettier', '--check', '--log-level=warn', '--ignore-unknown'],
    paths: paths('format', () => true),
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
async function run(name, { command, paths: given = undefined, digest: digestFor }) {
  const now = tree && digestFor(tree);
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
  if (now === undefined || changed) return;
  const isKept = isGood && digestFor(readTree()) === now;
  found[name] = isKept ? now : undefined;
  if (given && isKept)
    passed[name] = Object.fromEntries([...tree].map(([path, content]) => [path, keyOf(path, content)]));
}

/** `after` names the check whose result it reads. */
const startingAfter = (before) => Object.entries(checks).filter(([, { after }]) => after === before);
const waiting = startingAfter(undefined);
async function runNext() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    await run(...next);
    waiting.unshift(...startingAfter(next[0]));
  }
}
await Promise.all([runNext(), runNext()]);
remember('passed', found);
if (!changed) remember('files', passed);
