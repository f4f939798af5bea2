// node scripts/reach.mjs [changed files]: the test files that a change cannot turn red, and the reason if it reaches all.
// Without files: what has changed since the merge base with BASE, or with the upstream branch. `.ci/run` leaves them out.
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { closureOf, importsOf, isCode, readTree } from './check-inputs.mjs';
import touching from './jest/touched.cjs';
import { root, say } from './prepare.mjs';

const { journeys, touched } = touching;
const isTest = (path) => path.endsWith('.test.ts');
const isOfTests = (path) => isTest(path) || /\.contract\.ts$|\/testing\/|^(e2e|scripts|deploy)\//.test(path);
const isJourney = (path) => path.startsWith('e2e/');

/** Whatever these change, every suite may depend on. */
const ofAll = /^(\.ci|scripts|patches)\/|^[^/]+$|(^|\/)(package(-lock)?|tsconfig)\.json$/;
/** Exceptions of files at the root. */
const ofNobody = /^[A-Z][\w-]*\.md$|^LICENSE$/;

/** Suites that read files of the checkout, or start programs: imports do not tell what they depend on. */
const reads =
  /\b(readFileSync|readdirSync|readFile|readdir|existsSync|cpSync|copyToWork|Worker)\(|\bdist\b|node:child_process/;

/** What is not imported, but bundled, compiled or served: by its folder, the folder of the suites that it reaches. */
const byFolder = {
  'docs/': 'gateway/',
  'gateway/documentation/': 'gateway/',
  'console/': 'console/',
  'deploy/': 'deploy/',
  'e2e/': 'e2e/',
  'bench/': 'bench/',
};

/** The engine suites have a real server for the embedded store. */
const realStore = ['packages/embedded-mongo/src/server.ts', 'shared/src/testing/real-store.ts'];

/**
 * `isReached(path)` of a test file of the tree after a change of these files; `reason` when all are. In doubt a suite is
 * reached: without a known base, by what nobody imports, and by what was deleted.
 */
export function reachOf(changed, tree = readTree()) {
  const everything = (reason) => ({ reason, isReached: () => true });
  if (!changed || !tree) return everything('there is no base to compare with: set BASE to the last commit that passed');
  const wide = changed.find((path) => ofAll.test(path) && !ofNobody.test(path));
  if (wide) return everything(`${wide} has changed`);
  const deleted = changed.find((path) => !tree.has(path) && isCode(path) && !isTest(path));
  if (deleted) return everything(`${deleted} was deleted`);

  const imports = importsOf(tree);
  // A package without a path means all of its files, but nothing imports a test.
  for (const [path, loaded] of imports)
    imports.set(
      path,
      loaded.filter((one) => !isTest(one)),
    );
  const [embedded, real] = realStore;
  if (tree.has(real) && !imports.has(embedded)) throw new Error(`scripts/reach.mjs names what is gone: ${embedded}`);
  imports.get(embedded)?.push(real);
  const closures = new Map([...tree.keys()].filter(isTest).map((path) => [path, closureOf(imports, [path])]));
  const imported = new Set([...closures.values()].flatMap((closure) => [...closure]));
  const folders = [];
  for (const path of changed) {
    const folder = Object.keys(byFolder).find((one) => path.startsWith(one));
    if (folder) folders.push(byFolder[folder]);
    else if (!imported.has(path) && !path.endsWith('.md') && !isTest(path))
      return everything(`no suite imports ${path}, which has changed`);
  }
  const readers = new Set(
    [...tree.keys()].filter((path) => isCode(path) && isOfTests(path) && reads.test(tree.get(path))),
  );
  const touches = new Set(changed.flatMap(touchedBy));
  return {
    isReached(path) {
      const closure = closures.get(path) ?? new Set();
      if (changed.some((one) => closure.has(one))) return true;
      if (isJourney(path)) {
        const group = Object.keys(journeys).find((name) => journeys[name].test(path));
        return group === undefined || touches.has(group);
      }
      return folders.some((folder) => path.startsWith(folder)) || [...closure].some((one) => readers.has(one));
    },
  };
}

/** The groups of journeys that a change of this file touches. */
function touchedBy(path) {
  if (isTest(path) || path.endsWith('.md')) return [];
  const [folder] = Object.keys(touched)
    .filter((one) => path.startsWith(`${one}/`))
    .sort((one, other) => other.length - one.length);
  return folder === undefined ? Object.keys(journeys) : touched[folder];
}

const git = (...args) => {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
};

/**
 * Files that differ from the merge base with `BASE` or with the upstream branch, not committed ones too; undefined when
 * there is neither, when the history does not go back so far, and on the base itself, where nothing would be left.
 */
export function changedFiles() {
  const base = git('merge-base', 'HEAD', process.env.BASE || '@{upstream}')?.trim();
  if (!base || base === git('rev-parse', 'HEAD')?.trim()) return undefined;
  const lists = [
    git('diff', '--name-only', '--no-renames', '-z', base),
    git('ls-files', '--others', '--exclude-standard', '-z'),
  ];
  return lists.includes(undefined) ? undefined : lists.join('').split('\0').filter(Boolean);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const tree = readTree();
  const given = process.argv.slice(2);
  const { reason, isReached } = reachOf(given.length > 0 ? given : changedFiles(), tree);
  if (reason) say(`Everything runs: ${reason}.`);
  for (const path of tree?.keys() ?? []) if (isTest(path) && !isReached(path)) console.log(path);
}
