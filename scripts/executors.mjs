// npm run test:executors [-- jest arguments]: with the executor of @apollo/gateway, the suites of the gateway whose
// outcome depends on the executor. The others never get as far. Three suites compare both executors in every run:
// gateway/src/execution/{executors,generated-queries} and embedded/src/executors; joined queries and the line of a call
// run with each.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, stop } from './prepare.mjs';

const suites = [
  'graphql/conditions',
  'graphql/error-codes',
  'graphql/graphql',
  'supergraph/entity-batches',
  'supergraph/field-scopes',
  'supergraph/large-calls',
  'supergraph/node',
  'supergraph/supergraph',
].map((name) => `gateway/src/${name}.test.ts`);

const gone = suites.filter((path) => !existsSync(join(root, path)));
if (gone.length > 0) stop(`scripts/executors.mjs names what is gone: ${gone.join(', ')}`);
const { status } = spawnSync(
  process.execPath,
  [join(root, 'scripts/test.mjs'), '--runTestsByPath', ...process.argv.slice(2), ...suites],
  { cwd: root, stdio: 'inherit', env: { ...process.env, EXECUTOR: 'apollo' } },
);
process.exit(status ?? 1);
