// node scripts/typed-rules.mjs: the lint rules that use types (oxlint). The result for a file depends on itself and on the
// declarations of everything that it imports, so it is linted when one of these has changed since it passed. `tsc` runs before,
// and keeps the declarations. In `.ci/run` with a base, which has no results of before, a file is linted when something that it
// imports has changed at all.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { closureOf, digest, digestOf, importsOf, readTree, remember, remembered, shownBy } from './check-inputs.mjs';
import { root } from './prepare.mjs';
import { changedInReach } from './reach.mjs';

const tree = readTree();
const isInReach = reachedFrom(changedInReach(tree));
const keys = tree && keysOf(tree);
const before = remembered('typed-rules');
const stale = keys && [...keys.keys()].filter((path) => before[path] !== keys.get(path) && isInReach(path));

if (stale?.length !== 0) {
  const oxlint = join(root, 'node_modules/.bin/oxlint');
  // Without a path it lints all files.
  const { status } = spawnSync(oxlint, stale ?? [], { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
if (keys && !process.exitCode) {
  // A file may have been edited during the run, so a result is stored only if its key is unchanged.
  const after = keysOf(readTree());
  const known = [...keys].filter(([path, key]) => after.get(path) === key && (isInReach(path) || before[path] === key));
  remember('typed-rules', Object.fromEntries(known));
}

/** Whether the result for a file may differ from that of the base. */
function reachedFrom(changed) {
  if (!changed || changed.some((path) => tree.has(path) && isForAll(path, tree.get(path)))) return () => true;
  const imports = importsOf(tree);
  return (path) => {
    const closure = closureOf(imports, [path]);
    return changed.some((one) => closure.has(one));
  };
}

/**
 * The key of each TypeScript file: the digest of everything that its result depends on. That is what it imports directly,
 * and what is needed to say what that is.
 */
function keysOf(files) {
  const everywhere = digestOf(files, isForAll);
  const shown = shownBy(files);
  const needed = importsOf(shown);
  const content = new Map([...shown].map(([path, text]) => [path, digest([text])]));
  return new Map(
    [...importsOf(files)].flatMap(([path, imported]) => {
      if (!isTypeScript(path)) return [];
      const loaded = [...closureOf(needed, imported)].sort().flatMap((one) => [one, content.get(one)]);
      return [[path, digest([everywhere, files.get(path), ...loaded])]];
    }),
  );
}

function isTypeScript(path) {
  return /\.tsx?$/.test(path);
}

/** Settings, and declarations that are visible without an import. */
function isForAll(path, text) {
  if (/(^|\/)(\.oxlintrc|tsconfig|package)\.json$|\.d\.ts$|^console\/schema\.graphql$/.test(path)) return true;
  return isTypeScript(path) && /\bdeclare (global|module)\b/.test(text.toString());
}
