// npm run supply-chain: asks the registry whether it signed the packages that are installed, and whether it knows of weaknesses in those
// that are delivered. Ends with 0 when both are well, 1 when something was found, 2 when the registry could not say.
import { spawnSync } from 'node:child_process';
import { root } from './prepare.mjs';

/** What npm says when the answer is missing, not bad. */
const unable =
  /\b(E4\d\d|E5\d\d|ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ENOAUDIT)\b|no dependencies to audit|endpoint returned an error|not supported|found no/i;

let worst = 0;
for (const [what, parameters] of [
  ['Signatures', ['audit', 'signatures']],
  ['Known weaknesses', ['audit', '--audit', '--omit=dev', '--audit-level=low']],
]) {
  const { status, stdout, stderr } = spawnSync('npm', parameters, { cwd: root, encoding: 'utf8' });
  const said = `${stdout}\n${stderr}`.trim();
  const outcome = status === 0 ? 0 : unable.test(said) ? 2 : 1;
  const words = ['nothing was found.', 'SOMETHING WAS FOUND.', 'NOT CHECKED: the registry at hand cannot say.'];
  process.stdout.write(`${what}: ${words[outcome]}\n${said}\n\n`);
  worst = outcome === 1 || worst === 1 ? 1 : Math.max(worst, outcome);
}
process.exitCode = worst;
