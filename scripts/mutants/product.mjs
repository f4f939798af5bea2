import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { closureOf, importsOf, readTree } from '../check-inputs.mjs';
import { jestCommand, jestEnvironment } from '../jest.mjs';
import { root } from '../prepare.mjs';
import { areas, drawn } from './areas.mjs';
import { candidatesIn } from './candidates.mjs';
import { copy, makeCopy } from './copy.mjs';

const kept = join(root, 'scripts/mutants.json');
/** Most suites that are tried for a mistake, the nearest first. */
const mostSuites = 8;
/** Of them, those that are tried alone at first: they notice most mistakes. */
const fewSuites = 2;
/** After this a suite hangs, as in a loop that a mistake has made endless. */
const longest = 900_000;

const isTest = (path) => path.endsWith('.test.ts');
const read = () => (existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : []);
const write = (mutants) => writeFileSync(kept, `${JSON.stringify(mutants, null, 2)}\n`);

/** Numbers from 0 to 1 that follow from the seed (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws the mistakes of all areas. They are kept by text, so that two runs compare the same ones. */
export function draw(seed) {
  const tree = readTree();
  const random = randomFrom(seed);
  const mutants = Object.entries(areas).flatMap(([area, files]) => {
    const paths = [...tree.keys()].filter(
      (path) => files.test(path) && path.endsWith('.ts') && !/\.(test|contract)\.ts$|\/testing\//.test(path),
    );
    const all = paths.flatMap((file) => candidatesIn(tree.get(file).toString()).map((one) => ({ area, file, ...one })));
    const fitting = area === 'tenancy' ? all.filter(({ find }) => /account/i.test(find)) : all;
    return Array.from({ length: Math.min(drawn, fitting.length) }, () =>
      fitting.splice(Math.floor(random() * fitting.length), 1),
    ).flat();
  });
  write(mutants);
  return mutants.length;
}

/** The suites that may notice a mistake in the file: those of its name, of its folder, and those that import least. */
function suitesNear(file, tree, imports) {
  const ranked = [...tree.keys()]
    .filter((path) => isTest(path) && !path.startsWith('e2e/') && !path.endsWith('.engine.test.ts'))
    .map((path) => ({ path, closure: closureOf(imports, [path]) }))
    .filter(({ closure }) => closure.has(file))
    .map(({ path, closure }) => {
      const isNamesake = basename(path, '.test.ts') === basename(file, '.ts').replace(/\.\w+$/, '');
      const isNear = dirname(path) === dirname(file);
      const isDirect = (imports.get(path) ?? []).includes(file);
      return { path, rank: [isNamesake && isNear, isNear, isDirect].findIndex(Boolean), size: closure.size };
    });
  const rankOf = ({ rank }) => (rank === -1 ? 3 : rank);
  return ranked
    .sort((one, other) => rankOf(one) - rankOf(other) || one.size - other.size)
    .slice(0, mostSuites)
    .map(({ path }) => path);
}

/** The suites among these that turn red, until one does. */
function redOf(suites) {
  const report = join(copy, 'mutant.json');
  rmSync(report, { force: true });
  const [command, ...args] = jestCommand('--runTestsByPath', '--bail', '-w', '1', '--silent', '--json');
  const { status } = spawnSync(command, [...args, `--outputFile=${report}`, ...suites], {
    cwd: copy,
    env: { ...jestEnvironment, REACH: '' },
    stdio: 'ignore',
    timeout: longest,
  });
  if (status === 0) return [];
  if (!existsSync(report)) return suites;
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return testResults.filter((one) => one.status === 'failed').map(({ name }) => relative(copy, name));
}

const unbroken = new Map();
function isGreen(suite) {
  if (!unbroken.has(suite)) unbroken.set(suite, redOf([suite]).length === 0);
  return unbroken.get(suite);
}

function verdictOf({ file, find, replacement }, suites) {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(find).length !== 2) return 'gone';
  if (suites.length === 0) return 'survived';
  writeFileSync(
    path,
    text.replace(find, () => replacement),
  );
  // Jest decides on the order within a run.
  const nearest = redOf(suites.slice(0, fewSuites));
  const red = nearest.length > 0 || suites.length <= fewSuites ? nearest : redOf(suites.slice(fewSuites));
  writeFileSync(path, text);
  if (red.length === 0) return 'survived';
  return red.some(isGreen) ? 'killed' : 'red without it';
}

/** Tries the mistakes of the areas with these words in their names, or all; `share` is such as 2/5. */
export function tryProduct(words, share = '1/1') {
  const [number, of] = share.split('/').map(Number);
  const tree = readTree();
  const imports = importsOf(tree);
  for (const [path, loaded] of imports)
    imports.set(
      path,
      loaded.filter((one) => !isTest(one)),
    );
  const isWanted = ({ area }, index) =>
    index % of === number - 1 && (words.length === 0 || words.some((word) => area.includes(word)));
  makeCopy();
  for (const mutant of read().filter(isWanted)) {
    const suites = suitesNear(mutant.file, tree, imports);
    const verdict = verdictOf(mutant, suites);
    console.log(`${verdict}: ${mutant.area}: ${mutant.file}: ${mutant.kind}\n  ${mutant.find.trim()}`);
    const all = read();
    const place = all.find(({ file, find, replacement }) => `${file}${find}${replacement}` === keyOf(mutant));
    if (place) Object.assign(place, { verdict });
    write(all);
  }
  rmSync(copy, { recursive: true });
  for (const area of Object.keys(areas)) {
    const tried = read().filter((one) => one.area === area && one.verdict);
    const killed = tried.filter(({ verdict }) => verdict === 'killed').length;
    console.log(`${area}: ${killed} of ${tried.length} killed`);
  }
}

const keyOf = ({ file, find, replacement }) => `${file}${find}${replacement}`;
