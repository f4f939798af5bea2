// npm run supply-chain [-- --osv=<folder>] [--offline]: asks the registry for signatures of installed packages, and for
// known vulnerabilities of delivered ones. `--osv` also searches OSV files without a network: the unpacked npm/all.zip.
// `--offline` does not ask the registry. Exit code 0: nothing found; 1: something found; 2: nothing could be checked.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAdvisories, weaknessesOf } from './osv.mjs';
import { root } from './prepare.mjs';

/** npm's messages when it got no answer at all. */
const unable =
  /\b(E4\d\d|E5\d\d|ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ENOAUDIT)\b|no dependencies to audit|endpoint returned an error|not supported|found no/i;

const options = process.argv.slice(2);
const folder = options.find((one) => one.startsWith('--osv='))?.slice('--osv='.length);

const checks = [
  ...(options.includes('--offline')
    ? []
    : [
        ['Signatures', () => ask(['audit', 'signatures'])],
        ['Known weaknesses', () => ask(['audit', '--audit', '--omit=dev', '--audit-level=low'])],
      ]),
  ...(folder === undefined ? [] : [['Known weaknesses by OSV', () => lookUp(folder)]]),
];
const words = ['nothing was found.', 'SOMETHING WAS FOUND.', 'NOT CHECKED: nobody at hand can say.'];
const outcomes = checks.map(([what, check]) => {
  const { outcome, said } = check();
  process.stdout.write(`${what}: ${words[outcome]}\n${said}\n\n`);
  return outcome;
});
if (checks.length === 0) process.stdout.write('NOT CHECKED: with --offline it takes --osv=<folder>\n');
process.exitCode = outcomes.includes(1) ? 1 : outcomes.includes(2) || outcomes.length === 0 ? 2 : 0;

function ask(parameters) {
  const { status, stdout, stderr } = spawnSync('npm', parameters, { cwd: root, encoding: 'utf8' });
  const said = `${stdout}\n${stderr}`.trim();
  return { outcome: status === 0 ? 0 : unable.test(said) ? 2 : 1, said };
}

function lookUp(folder) {
  const advisories = readAdvisories(folder);
  const delivered = deliveredPackages();
  const found = weaknessesOf(delivered, advisories);
  const said = [`${advisories.count} advisories, ${delivered.length} packages that are delivered`, ...found].join('\n');
  return { outcome: found.length > 0 ? 1 : advisories.count === 0 ? 2 : 0, said };
}

/** Read from the lock file, so that nothing has to be installed. */
function deliveredPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages).flatMap(([path, { version, name, dev, link }]) => {
    if (dev || link || !path.includes('node_modules/')) return [];
    return [{ name: name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), version }];
  });
}
