// node scripts/test.mjs [jest arguments]: prepares the checkout, then runs jest.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

await prepare();
const jest = join(root, 'node_modules/jest/bin/jest.js');
const run = spawnSync(process.execPath, [jest, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
process.exit(run.status ?? 1);
