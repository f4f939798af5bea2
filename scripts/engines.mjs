// npm run test:engines [-- jest arguments]: the suites of the shared library and of the services on real servers, then
// all journeys. A server whose address is in the environment is used; the others are started.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { jestCommand, jestEnvironment } from './jest.mjs';
import { prepare, root, say } from './prepare.mjs';

const engines = { AMQP_URL: 'rabbitmq', REDIS_URL: 'redis', MONGODB_URL: 'mongodb' };
const missing = Object.keys(engines).filter((address) => !process.env[address]);

await prepare();
for (const address of Object.keys(engines))
  say(`${address}: ${missing.includes(address) ? `started by scripts/${engines[address]}.mjs` : 'given'}`);
const parameters = process.argv.slice(2);
// A repository behaves alike on one node and on three; three take three times the work. Suites have clocks of their own, often
// months back: the server, which goes by the machine's, would delete what they have just written.
// Every suite and every platform makes dozens of collections with their indexes, and on a disk waits until each file is synced.
const suites = run('jest.engines.config.ts', ['--nodes=1', '--ttl=off', '--memory'], parameters);
// Arguments choose among the suites; the journeys belong to a full run.
const journeys = parameters.length === 0 ? run('jest.engines-e2e.config.ts', ['--nodes=3', '--memory'], []) : 0;
process.exit(suites || journeys);

function run(config, mongodbOptions, more) {
  const options = { mongodb: mongodbOptions };
  const starting = missing.flatMap((address) => {
    const name = engines[address];
    return [process.execPath, join(root, `scripts/${name}.mjs`), ...(options[name] ?? []), '--'];
  });
  const [command, ...rest] = [...starting, ...jestCommand('--config', config, ...more)];
  return spawnSync(command, rest, { cwd: root, stdio: 'inherit', env: jestEnvironment }).status ?? 1;
}
