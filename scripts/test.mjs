// node scripts/test.mjs [jest arguments]: prepares the checkout, then runs jest.
import { spawnSync } from 'node:child_process';
import { jestCommand, jestEnvironment } from './jest.mjs';
import { prepare, root } from './prepare.mjs';

await prepare();
const [command, ...args] = jestCommand(...process.argv.slice(2));
const run = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: jestEnvironment });
process.exit(run.status ?? 1);
