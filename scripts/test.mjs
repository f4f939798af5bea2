// node scripts/test.mjs [--quick] [jest arguments]: prepares the checkout, then runs jest. `--quick` leaves out the longest
// suites, unless arguments say which to run, or UPDATE_DOCS asks for all that write docs.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { jestCommand, jestEnvironment } from './jest.mjs';
import { prepare, root } from './prepare.mjs';

await prepare();
const given = process.argv.slice(2);
const chosen = given.filter((arg) => arg !== '--quick');
const isQuick = given.length > chosen.length && chosen.length === 0 && !process.env.UPDATE_DOCS;
const [command, ...args] = jestCommand(
  ...chosen,
  ...(isQuick ? ['--filter', join(root, 'scripts/jest/quick.cjs')] : []),
);
const run = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: jestEnvironment });
process.exit(run.status ?? 1);
