// node scripts/reach.mjs [changed files]: the test files that a change cannot turn red, and the reason if it
// reaches all suites. Journeys come by turns (`most`).
// Without files: what has changed since the merge base with BASE, or with the upstream branch. `.ci/run` leaves them out.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { closureOf, importsOf, isCode, readTree } from './check-inputs.mjs';
import touching from './jest/touched.cjs';
import { root, say } from './prepare.mjs';

const { journeys, long, longest, touched } = touching;
const isTest = (path) => path.endsWith('.test.ts');
const isOfTests = (path) => isTest(path) || /\.contract\.ts$|\/testing\/|^(e2e|scripts|deploy)\//.test(path);
const hasSubject = (path) => Object.values(journeys).some((subject) => subject.test(path));
const isJourney = (path) => isTest(path) && (path.startsWith('e2e/') || hasSubject(path));

/** Whatever these change, every suite may depend on. */
const ofAll = /^(\.ci|scripts|patches)\/|^[^/]+$|(^|\/)(package(-lock)?|tsconfig)\.json$/;
/** Exceptions of files at the root: texts, and what only deployments read. */
const ofNobody = /^[A-Z][\w-]*\.md$|^LICENSE$/;
const ofDeployments = /^(Dockerfile|\.dockerignore|docker-compose\.yml)$/;
const isWide = (path) => ofAll.test(path) && !ofNobody.test(path) && !ofDeployments.test(path);

/** Suites that read files of the checkout, or start programs: imports do not tell what they depend on. */
const reads =
  /\b(readFileSync|readdirSync|readFile|readdir|existsSync|cpSync|copyToWork|Worker)\(|['/]dist\/(?!schema-helper)|node:child_process/;
/** A reader that has the whole checkout, by this or by a path that leads to its root. */
const readsAll = /import \{[^}]*\broot\b[^}]*\} from|\bls-files\b|\bcopyToWork\b/;
const climbing = /'((?:\.\.\/)*\.\.(?:\/[^'\n]*)?)'/g;

/** This one has a path to the root, and reads pages alone. */
const ofPages = 'shared/src/testing/generated-part.ts';

/**
 * These have one too, and read what is deployed, pages, and settings at the root, which reach everything. Of the rest they
 * ask whether a file is there, and a deleted one reaches everything.
 */
const ofDeploy = /^deploy\/(?!monitoring)/;

/** Suites of programs in `scripts` and of settings at the root. What these read reaches everything. */
const ofTools = /^scripts\/(dependencies|limits-of-tests|module-rules|supply-chain|typed-rules)\.test\.ts$/;

/** What is not imported, but bundled, compiled or served: by its folder, the folder of the suites that it reaches. */
const byFolder = {
  'docs/': 'gateway/',
  'gateway/documentation/': 'gateway/',
  'console/': 'console/',
  'deploy/': 'deploy/',
  'k8s/': 'deploy/',
  Dockerfile: 'deploy/',
  '.dockerignore': 'deploy/',
  'docker-compose.yml': 'deploy/',
  'e2e/': 'e2e/',
  'bench/': 'bench/',
};

/** The engine suites have a real server for the embedded store. */
const realStore = ['packages/embedded-mongo/src/server.ts', 'shared/src/testing/real-store.ts'];

/** Most journeys of a run. Of more it takes a part, by turns. */
const most = 12;

/** A change that may reach whatever imports anything: the reason, or undefined. */
export function wideReason(changed, tree) {
  if (!changed || !tree) return 'there is no base to compare with: set BASE to the last commit that passed';
  const wide = changed.find(isWide);
  if (wide) return `${wide} has changed`;
  const deleted = changed.find((path) => !tree.has(path) && isCode(path) && !isTest(path));
  return deleted && `${deleted} was deleted`;
}

/**
 * `isReached(path)` of a test file of the tree after a change of these files. In doubt a suite is reached: without a
 * known base, by what nobody imports, and by what was deleted; `reason` says why all are. `turns` are the journeys that
 * are reached and wait for another turn; `turn` chooses, a number from 0.
 */
export function reachOf(changed, tree = readTree(), turn = turnOf()) {
  let reason = wideReason(changed, tree);
  const suites = reason ? undefined : suitesOf(changed, tree);
  reason ??= suites.reason;
  const paths = [...(tree?.keys() ?? [])].filter(isJourney);
  const isTouched = journeysOf(reason, changed, suites?.closures);
  const { taken, waiting, part, parts } = inTurns(paths.filter(isTouched), changed, turn);
  return {
    reason,
    turns: { waiting, part, parts },
    isReached: (path) => (isJourney(path) ? taken.has(path) : reason !== undefined || suites.isReached(path)),
  };
}

function suitesOf(changed, tree) {
  // A package without a path means all of its files, but nothing imports a test.
  const imports = new Map([...importsOf(tree)].map(([path, loaded]) => [path, loaded.filter((one) => !isTest(one))]));
  const [embedded, real] = realStore;
  const gone = tree.has(real) && [embedded, ofPages].filter((path) => !imports.has(path));
  if (gone?.length > 0) throw new Error(`scripts/reach.mjs names what is gone: ${gone.join(', ')}`);
  imports.get(embedded)?.push(real);
  const closures = new Map([...tree.keys()].filter(isTest).map((path) => [path, closureOf(imports, [path])]));
  const imported = new Set([...closures.values()].flatMap((closure) => [...closure]));
  const folders = [];
  for (const path of changed) {
    const folder = Object.keys(byFolder).find((one) => path.startsWith(one));
    if (folder) folders.push(byFolder[folder]);
    else if (!imported.has(path) && !path.endsWith('.md') && !isTest(path))
      return { reason: `no suite imports ${path}, which has changed`, closures };
  }
  const isRead = readingOf(changed, tree, imports);
  const isReached = (path) => {
    const closure = closures.get(path) ?? new Set();
    if (changed.some((one) => closure.has(one))) return true;
    if (folders.some((folder) => path.startsWith(folder))) return true;
    return !ofTools.test(path) && isRead(path, closure);
  };
  return { closures, isReached };
}

/**
 * Whether a suite may read what has changed, if it or a helper that it imports reads files or starts programs: that is
 * where the paths in them lead, and what the part of the suite has and imports, since its compiled form is started. A path
 * to the root means all.
 */
function readingOf(changed, tree, imports) {
  const readers = new Set();
  const placesOf = new Map();
  for (const [path, content] of tree) {
    if (!isCode(path) || !isOfTests(path)) continue;
    const text = content.toString();
    if (reads.test(text)) readers.add(path);
    const places = [...text.matchAll(climbing)].map(([, place]) => join(dirname(path), place));
    const isAll = path.startsWith('scripts/') || readsAll.test(text) || places.some((place) => /^\.\.?$/.test(place));
    const all = path === ofPages ? ['*.md'] : ofDeploy.test(path) ? ['deploy', 'k8s', '*.md'] : ['.'];
    placesOf.set(path, isAll ? all : places);
  }
  const isWithin = (path, place) =>
    place === '.' || path === place || path.startsWith(`${place}/`) || (place === '*.md' && path.endsWith('.md'));
  const parts = new Map();
  const partOf = (path) => /^(?:(?:services|packages)\/)?[^/]+\//.exec(path)?.[0] ?? '';
  const reachesPart = (part) => {
    if (!parts.has(part)) {
      const own = closureOf(
        imports,
        [...tree.keys()].filter((path) => path.startsWith(part)),
      );
      parts.set(
        part,
        changed.some((path) => own.has(path) || path.startsWith(part)),
      );
    }
    return parts.get(part);
  };
  return (suite, closure) => {
    if (![...closure].some((path) => readers.has(path))) return false;
    if (reachesPart(partOf(suite))) return true;
    // A helper reads what its suite names, too.
    const places = [...closure].flatMap((path) => placesOf.get(path) ?? []);
    return changed.some((path) => places.some((place) => isWithin(path, place)));
  };
}

/** Whether a change touches a journey: by the table, or by a file of the tests that the journey imports. */
function journeysOf(reason, changed, closures) {
  // What is wide names no network; without a base it may be anything.
  const groups = changed ? Object.keys(journeys).filter((name) => !long.includes(name)) : Object.keys(journeys);
  const touches = new Set(reason ? groups : []);
  for (const path of changed ?? []) if (!isWide(path)) for (const name of touchedBy(path)) touches.add(name);
  return (path) => {
    const group = Object.keys(journeys).find((name) => journeys[name].test(path));
    if (group === undefined || touches.has(group)) return true;
    const closure = closures?.get(path);
    return closure !== undefined && changed.some((one) => isOfTests(one) && closure.has(one));
  };
}

/** The groups of journeys that a change of this file touches. */
function touchedBy(path) {
  if (isTest(path) || path.endsWith('.md')) return [];
  const [folder] = Object.keys(touched)
    .filter((one) => path === one || path.startsWith(`${one}/`))
    .sort((one, other) => other.length - one.length);
  return folder === undefined ? Object.keys(journeys) : touched[folder];
}

/**
 * The part of the journeys whose turn it is: as many parts as it takes for `most` in each, with the dearest spread over
 * all. Those without a subject, and those that were edited, are in every part.
 */
function inTurns(paths, changed, turn) {
  const isFixed = (path) => changed?.includes(path) || !hasSubject(path);
  const ordered = paths.filter((path) => !isFixed(path)).sort();
  ordered.sort((one, other) => rankOf(one) - rankOf(other));
  const parts = Math.max(1, Math.ceil(ordered.length / most));
  const part = turn % parts;
  const waiting = ordered.filter((_path, at) => at % parts !== part);
  return { taken: new Set(paths.filter((path) => !waiting.includes(path))), waiting, part, parts };
}

const rankOf = (path) => (longest.includes(path) ? longest.indexOf(path) : longest.length);

const git = (...args) => {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
};

/** The turn that `TURN` names, from 1 on, or that of the commit. */
function turnOf() {
  if (process.env.TURN) return Number(process.env.TURN) - 1;
  return Number.parseInt((git('rev-parse', 'HEAD') ?? '0').slice(0, 8), 16);
}

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

/** Whether a change can turn the suites red with the other executor (scripts/executors.mjs): that of the gateway and of prices. */
export const reachesExecutors = (changed, tree) =>
  wideReason(changed, tree) !== undefined || changed.some((path) => /^(gateway|shared\/src\/pricing)\//.test(path));

/** In `.ci/run` with a base: what has changed, unless any file may have another result for it. */
export function changedInReach(tree) {
  if (process.env.REACH !== 'true') return undefined;
  const changed = changedFiles();
  return wideReason(changed, tree) ? undefined : changed;
}

/** What is said about a run: why everything runs, and which journeys wait. */
export function sayReach({ reason, turns: { waiting, part, parts } }) {
  if (reason) say(`Everything runs: ${reason}.`);
  if (parts === 1) return;
  say(`Journeys by turns: part ${part + 1} of ${parts}, by the commit or by TURN=1 to TURN=${parts}.`);
  say(`${waiting.length} wait for another turn; npm run test:long has all:\n  ${waiting.join('\n  ')}`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const tree = readTree();
  const given = process.argv.slice(2);
  const reach = reachOf(given.length > 0 ? given : changedFiles(), tree);
  sayReach(reach);
  for (const path of tree?.keys() ?? []) if (isTest(path) && !reach.isReached(path)) console.log(path);
}
