// npm run test:engines [-- jest arguments]: everything that uses a store, a broker or coordination, on real servers, then the
// journeys through separate processes. A server whose address is in the environment is used; the others are started.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { jestCommand, jestEnvironment } from './jest.mjs';
import { prepare, root, say } from './prepare.mjs';

const engines = { AMQP_URL: 'rabbitmq', REDIS_URL: 'redis', MONGODB_URL: 'mongodb' };
const missing = Object.keys(engines).filter((address) => !process.env[address]);

await prepare();
for (const address of Object.keys(engines))
  say(`${address}: ${missing.includes(address) ? `started by scripts/${engines[address]}.mjs` : 'given'}`);
const parameters = process.argv.slice(2);
const chosen = parameters.length > 0 ? parameters : ['--findRelatedTests', ...usersOfEngines()];
// A repository behaves alike on one node and on three; three take three times the work.
const suites = run('jest.engines.config.ts', 1, chosen);
// Arguments choose among the suites; the journeys belong to a full run.
const journeys = parameters.length === 0 ? run('jest.engines-e2e.config.ts', 3, []) : 0;
process.exit(suites || journeys);

/** What a suite reaches when it uses a store, a broker or coordination; the other suites would behave as in `npm test`. */
function usersOfEngines() {
  const sources = ['shared/src', 'services', 'embedded/mongo/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, file)),
  );
  const users = /(testing\/(real-store|repository-calls)|(amqp-broker|redis-coordination)|\.engine\.test)\.ts$/;
  return sources.filter((file) => users.test(file) && !file.includes('node_modules'));
}

function run(config, nodes, more) {
  const options = { mongodb: [`--nodes=${nodes}`] };
  const starting = missing.flatMap((address) => {
    const name = engines[address];
    return [process.execPath, join(root, `scripts/${name}.mjs`), ...(options[name] ?? []), '--'];
  });
  const [command, ...rest] = [...starting, ...jestCommand('--config', config, ...more)];
  return spawnSync(command, rest, { cwd: root, stdio: 'inherit', env: jestEnvironment }).status ?? 1;
}
