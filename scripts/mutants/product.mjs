import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { closureOf, importsOf, readTree } from '../check-inputs.mjs';
import { jestEnvironment } from '../jest.mjs';
import { root } from '../prepare.mjs';
import { areas, drawn } from './areas.mjs';
import { candidatesIn } from './candidates.mjs';
import { copy, makeCopy } from './copy.mjs';

const kept = join(root, 'scripts/mutants.json');
/** Most suites that are tried for a mistake, the nearest first. */
const mostSuites = 2;
/** After this a test waits in vain, as for what a mistake has left out, in milliseconds. */
const longestTest = 120_000;
/** After this a suite hangs, as in a loop that a mistake has made endless. */
const longestSuite = 600_000;
/** A process that has grown to this is replaced, in bytes. */
const mostMemory = 1_200_000_000;

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

/** Whether the mistake can still be made: its lines occur once. */
const isThere = (tree, { file, find }) => tree.get(file)?.toString().split(find).length === 2;

/**
 * Draws the mistakes of all areas. They are kept by text, so that two runs compare the same ones. A new one is drawn only for
 * one that can no longer be made.
 */
export function draw(seed) {
  const tree = readTree();
  const random = randomFrom(seed);
  const all = read();
  const mutants = Object.entries(areas).flatMap(([area, files]) => {
    const own = all.filter((one) => one.area === area && isThere(tree, one));
    const taken = new Set(own.map(keyOf));
    const paths = [...tree.keys()].filter(
      (path) => files.test(path) && path.endsWith('.ts') && !/\.(test|contract)\.ts$|\/testing\//.test(path),
    );
    const found = paths.flatMap((file) =>
      candidatesIn(tree.get(file).toString()).map((one) => ({ area, file, ...one })),
    );
    const fitting = found.filter((one) => (area !== 'tenancy' || /account/i.test(one.find)) && !taken.has(keyOf(one)));
    const missing = Math.min(drawn - own.length, fitting.length);
    const fresh = Array.from({ length: missing }, () => fitting.splice(Math.floor(random() * fitting.length), 1));
    return [...own, ...fresh.flat()];
  });
  write(mutants);
  return mutants.filter((one) => !all.some((other) => keyOf(other) === keyOf(one))).length;
}

/** The words of a text: `accountId` has two. */
const wordsOf = (text) => new Set(text.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase()));

/** The mistake with what stands around it. */
function surroundings(text, find) {
  const lines = text.slice(0, text.indexOf(find)).split('\n').slice(-12);
  return [
    ...lines,
    find,
    ...text
      .slice(text.indexOf(find) + find.length)
      .split('\n')
      .slice(0, 6),
  ].join('\n');
}

/**
 * Answers a function that finds the suites that are likeliest to notice a mistake: they reach the file, and have rare words of
 * its surroundings in common with it. A suite of its name, of its folder or that imports it counts more, a large one less.
 */
function nearestSuites(tree) {
  const imports = importsOf(tree);
  for (const [path, loaded] of imports)
    imports.set(
      path,
      loaded.filter((one) => !isTest(one)),
    );
  const suites = [...tree.keys()]
    .filter((path) => isTest(path) && !path.startsWith('e2e/') && !path.endsWith('.engine.test.ts'))
    .map((path) => ({ path, closure: closureOf(imports, [path]), words: wordsOf(`${path} ${tree.get(path)}`) }));
  const frequency = new Map();
  for (const { words } of suites) for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const weightOf = (word) => (frequency.has(word) ? Math.log(suites.length / frequency.get(word)) : 0);
  return ({ file, find }) => {
    const about = [...wordsOf(`${file} ${surroundings(tree.get(file).toString(), find)}`)];
    const scoreOf = ({ path, closure, words }) => {
      const isNear = dirname(path) === dirname(file);
      const isNamesake = isNear && basename(path, '.test.ts') === basename(file, '.ts').replace(/\.\w+$/, '');
      const isDirect = imports.get(path).includes(file);
      const alike = about.filter((word) => words.has(word)).reduce((sum, word) => sum + weightOf(word), 0);
      return ((1 + alike) * (1 + isNear + isNamesake + isDirect)) / Math.log(closure.size * words.size);
    };
    return suites
      .filter(({ closure }) => closure.has(file))
      .map((suite) => ({ path: suite.path, score: scoreOf(suite) }))
      .sort((one, other) => other.score - one.score)
      .slice(0, mostSuites)
      .map(({ path }) => path);
  };
}

let runner;
function stopRunner() {
  runner?.kill('SIGKILL');
  runner = undefined;
}

/** Runs a suite in the copy, up to its first red test. */
async function run(suite) {
  runner ??= fork(join(root, 'scripts/mutants/suites.mjs'), {
    env: { ...jestEnvironment, UNTIL_RED: 'true' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const hanging = setTimeout(stopRunner, longestSuite);
  const answered = new AbortController();
  const { signal } = answered;
  const answer = Promise.race([once(runner, 'message', { signal }), once(runner, 'exit', { signal })]);
  runner.send({ suite, limit: longestTest });
  const [report] = await answer;
  answered.abort();
  clearTimeout(hanging);
  // An exit: it hung, or the mistake ended it.
  const died = report === null || typeof report !== 'object';
  if (died || report.memory > mostMemory) stopRunner();
  return died ? { isGreen: false, failed: 0, passed: 0, cause: 'the process ended' } : report;
}

const unbroken = new Map();
async function isGreen(suite) {
  if (!unbroken.has(suite)) unbroken.set(suite, (await run(suite)).isGreen);
  return unbroken.get(suite);
}

/** Of a mistake: whether a suite notices it, the first one that does, and by which test. */
async function resultOf({ file, find, replacement }, suites) {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(find).length !== 2) return { verdict: 'gone' };
  let tests = 0;
  for (const suite of suites) {
    const broken = text.replace(find, () => replacement);
    writeFileSync(path, broken);
    const report = await run(suite);
    writeFileSync(path, text);
    tests += report.passed + report.failed;
    if (report.isGreen) continue;
    // A test that is red after a green one owes it to the mistake, unless it was only late.
    if ((report.passed > 0 && !report.isLate) || (await isGreen(suite)))
      return { verdict: 'killed', by: suite, cause: report.cause };
    return { verdict: 'red without it', by: suite, cause: report.cause };
  }
  return { verdict: 'survived', cause: `${tests} tests of ${suites.join(', ')}` };
}

/** One of each area after the other, so that a run that is broken off has tried some of each. */
function inTurn(mutants) {
  const turns = new Map();
  const turnOf = ({ area }) => turns.set(area, (turns.get(area) ?? 0) + 1).get(area);
  return mutants
    .map((mutant) => ({ mutant, turn: turnOf(mutant) }))
    .sort((one, other) => one.turn - other.turn)
    .map(({ mutant }) => mutant);
}

const stateOf = ({ verdict, equivalent }) => (equivalent ? 'equivalent' : (verdict ?? 'untried'));
const keyOf = ({ file, find, replacement }) => `${file}${find}${replacement}`;

/**
 * Tries the mistakes of the areas, files or states (`untried`, `survived`) with these words in their names, or all; `share` is
 * such as 2/5. Answers whether each mistake that was noticed before still is.
 */
export async function tryProduct(words, share = '1/1') {
  const [number, of] = share.split('/').map(Number);
  const tree = readTree();
  const suitesNear = nearestSuites(tree);
  const isWanted = (mutant, index) =>
    index % of === number - 1 &&
    words.every((word) => [mutant.area, mutant.file, stateOf(mutant)].some((name) => name.includes(word)));
  const chosen = inTurn(read().filter(isWanted));
  let isAsGood = true;
  makeCopy();
  for (const [index, mutant] of chosen.entries()) {
    const began = performance.now();
    const near = suitesNear(mutant);
    // First the one that noticed it before.
    const suites = [...new Set([...(mutant.by && tree.has(mutant.by) ? [mutant.by] : []), ...near])];
    const { verdict, by, cause } = await resultOf(mutant, suites);
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(
      `${index + 1} of ${chosen.length}: ${mutant.area}: ${verdict} (${seconds} s)${by ? ` by ${by}` : ''}: ${cause}`,
    );
    console.log(`  ${mutant.file}: ${mutant.kind}\n  ${mutant.find.trim()}`);
    if (verdict === 'gone' || (mutant.verdict === 'killed' && verdict !== 'killed')) isAsGood = false;
    // What is kept may have changed in the meantime.
    const all = read();
    const place = all.find((one) => keyOf(one) === keyOf(mutant));
    if (place) Object.assign(place, { first: place.first ?? verdict, verdict, by });
    write(all);
  }
  stopRunner();
  rmSync(copy, { recursive: true });
  console.log(table());
  writeTable();
  return isAsGood;
}

/** By area: the mistakes, those tried, those that the nearest suites noticed at first, those noticed now, and the rest. */
export function table() {
  const all = read();
  const rows = [...Object.keys(areas), undefined].map((area) => {
    const of = all.filter((one) => area === undefined || one.area === area);
    const count = (test) => of.filter(test).length;
    const tried = count(({ verdict }) => verdict);
    const killed = count(({ verdict }) => verdict === 'killed');
    const equivalent = count(({ verdict, equivalent: reason }) => verdict === 'survived' && reason);
    const first = count((one) => one.first === 'killed');
    return [area ?? 'all', of.length, tried, first, killed, equivalent, tried - killed - equivalent];
  });
  const head = ['Area', 'Mistakes', 'Tried', 'Noticed at first', 'Noticed now', 'Equivalent', 'Open'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function writeTable() {
  const page = join(root, 'CONTRIBUTING.md');
  const part = /(?<=<!-- generated: power of the tests -->\n)[^]*(?=\n<!-- end of power of the tests -->)/;
  writeFileSync(page, readFileSync(page, 'utf8').replace(part, table));
}
