// npm run test:mutants [-- <row or part of a path>]: breaks the sources as scripts/security/mutants.mjs says, in a copy,
// and checks that the test which docs/security.md names turns red.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { jestEnvironment } from './jest.mjs';
import { root } from './prepare.mjs';
import { mutants } from './security/mutants.mjs';

const copy = mkdtempSync(join(tmpdir(), 'mutants-'));
const installed = join(root, 'node_modules');

function makeCopy() {
  const isSource = (path) => !['node_modules', '.git'].includes(basename(path));
  cpSync(root, copy, { recursive: true, filter: isSource });
  for (const folder of ['shared', 'gateway', 'console', 'services/auth'])
    symlinkSync(join(root, folder, 'node_modules'), join(copy, folder, 'node_modules'));
  mkdirSync(join(copy, 'node_modules/@itsm'), { recursive: true });
  for (const name of readdirSync(installed))
    if (name !== '@itsm') symlinkSync(join(installed, name), join(copy, 'node_modules', name));
  // Relative links, which lead to the packages of the copy.
  cpSync(join(installed, '@itsm'), join(copy, 'node_modules/@itsm'), { recursive: true, verbatimSymlinks: true });
}

function run(test) {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const config = test.startsWith('e2e/') ? 'jest.e2e.config.ts' : 'jest.config.ts';
  const jest = join(copy, 'node_modules/jest/bin/jest.js');
  const options = ['-c', config, '-w', '1', '--json', '--outputFile', report, '--runTestsByPath', test];
  spawnSync(process.execPath, [jest, ...options], { cwd: copy, stdio: 'ignore', env: jestEnvironment });
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return undefined;
  }
}

const unbroken = new Map();
const isGreen = (test) => {
  if (!unbroken.has(test)) unbroken.set(test, run(test)?.success === true);
  return unbroken.get(test);
};

/** A suite that does not load, or all of whose tests fail as after a failed set-up, proves nothing. */
function verdictOf({ file, find, replacement, test }) {
  if (!isGreen(test)) return 'red without it';
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(find).length !== 2) return 'not found once';
  writeFileSync(
    path,
    text.replace(find, () => replacement),
  );
  const report = run(test);
  writeFileSync(path, text);
  if (!report || report.numRuntimeErrorTestSuites > 0) return 'does not load';
  if (report.numFailedTests === 0) return 'survived';
  return report.numPassedTests === 0 && report.numFailedTests > 1 ? 'fails everything' : 'killed';
}

const [wanted] = process.argv.slice(2);
const chosen = mutants.filter(({ row, file, test }) => !wanted || row === wanted || `${file} ${test}`.includes(wanted));
let killed = 0;
try {
  makeCopy();
  for (const mutant of chosen) {
    const verdict = verdictOf(mutant);
    if (verdict === 'killed') killed += 1;
    console.log(`${mutant.row.padEnd(8)}${verdict.padEnd(18)}${mutant.file} by ${mutant.test}`);
  }
} finally {
  rmSync(copy, { recursive: true });
}
console.log(`${killed} of ${chosen.length} killed`);
process.exitCode = chosen.length > 0 && killed === chosen.length ? 0 : 1;
