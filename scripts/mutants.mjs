// npm run test:mutants [-- <rows or parts of paths>]: breaks the sources as scripts/security/mutants.mjs says, in a copy,
// checks that the test which docs/security.md names turns red, and writes there for each row whether it did.
// `-- product [<words>] [2/5]` tries the mistakes of scripts/mutants.json, those of areas, files and states with these words, or a
// share of them, which `-- draw <seed>` has drawn, and writes there whether a suite near them turned red.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCLI } from 'jest';
import { jestEnvironment } from './jest.mjs';
import { copy, makeCopy } from './mutants/copy.mjs';
import { draw, tryProduct } from './mutants/product.mjs';
import { prepare, root } from './prepare.mjs';
import { counted, marked, rowsOf } from './security/page.mjs';

const page = join(root, 'docs/security.md');

/** In this process, because loading the libraries takes longer than most tests. */
async function run(test) {
  const ofJourneys = test.startsWith('e2e/');
  // Journeys start what is compiled.
  if (ofJourneys) spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: copy });
  const config = join(copy, ofJourneys ? 'jest.e2e.config.ts' : 'jest.config.ts');
  const options = { _: [test], config, runTestsByPath: true, runInBand: true, silent: true, reporters: [] };
  const { results } = await runCLI(options, [copy]);
  return results;
}

const unbroken = new Map();
async function isGreen(test) {
  if (!unbroken.has(test)) unbroken.set(test, (await run(test)).success);
  return unbroken.get(test);
}

/** A suite that does not load, or all of whose tests fail as after a failed set-up, proves nothing. */
async function verdictOf({ file, find, replacement, test }) {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(find).length !== 2) return ['not found once'];
  if (!(await isGreen(test))) return ['red without it'];
  const broken = text.replace(find, () => replacement);
  writeFileSync(path, broken);
  const report = await run(test);
  writeFileSync(path, text);
  if (report.numRuntimeErrorTestSuites > 0) return ['does not load'];
  if (report.numFailedTests === 0) return ['survived'];
  if (report.numPassedTests === 0 && report.numFailedTests > 1) return ['fails everything'];
  const results = report.testResults.flatMap(({ testResults }) => testResults);
  return ['killed', ...results.filter(({ status }) => status === 'failed').map(({ title }) => title)];
}

async function isProven({ name, mutants }) {
  const verdicts = [];
  for (const mutant of mutants) {
    const [verdict, ...titles] = await verdictOf(mutant);
    console.log(`${name}\n  ${verdict}: ${mutant.file} by ${mutant.test}`);
    for (const title of titles) console.log(`    ✕ ${title.slice(0, 100)}`);
    verdicts.push(verdict);
  }
  return verdicts.every((verdict) => verdict === 'killed');
}

const wanted = process.argv.slice(2);
if (wanted[0] === 'draw') {
  console.log(`${draw(Number(wanted[1] ?? 1))} mistakes drawn`);
  process.exit();
}
if (wanted[0] === 'product') {
  await prepare();
  const isAsGood = await tryProduct(
    wanted.slice(1).filter((word) => !/^\d+\/\d+$/.test(word)),
    wanted.find((word) => /^\d+\/\d+$/.test(word)),
  );
  process.exit(isAsGood ? 0 : 1);
}
const isWanted = ({ name, mutants }) =>
  mutants.length > 0 &&
  (wanted.length === 0 ||
    wanted.some(
      (word) => `${name} `.startsWith(`${word} `) || mutants.some(({ file, test }) => `${file} ${test}`.includes(word)),
    ));
const chosen = rowsOf(readFileSync(page, 'utf8')).filter(isWanted);
await prepare();
makeCopy();
process.chdir(copy);
Object.assign(process.env, jestEnvironment);
let proven = 0;
for (const row of chosen) {
  const isKilled = await isProven(row);
  if (isKilled) proven += 1;
  writeFileSync(page, counted(marked(readFileSync(page, 'utf8'), row, isKilled)));
}
process.chdir(root);
rmSync(copy, { recursive: true });
console.log(`${proven} of ${chosen.length} rows proven`);
// What a failed test has left open does not keep this process.
process.exit(chosen.length > 0 && proven === chosen.length ? 0 : 1);
