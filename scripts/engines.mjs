// npm run test:engines [-- jest arguments]: the suites of the shared library and of the services on real servers, then
// all journeys. Servers whose address is in the environment are used; others are started.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { jestCommand, jestEnvironment } from './jest.mjs';
import { prepare, root, say } from './prepare.mjs';

const engines = { AMQP_URL: 'rabbitmq', REDIS_URL: 'redis', MONGODB_URL: 'mongodb', S3_URL: 's3' };
const missing = Object.keys(engines).filter((address) => !process.env[address]);

await prepare();
for (const address of Object.keys(engines))
  say(`${address}: ${missing.includes(address) ? `started by scripts/${engines[address]}.mjs` : 'given'}`);
const parameters = process.argv.slice(2);
// One node suffices: the platform behaves the same on one node and on three, which take three times the work; what three
// are for has sets of its own (operations, faults, deployed). No TTL deletion: suites use their own clocks, often months
// back, and the server, which uses the machine's, would delete what they just wrote. In memory: suites create dozens of
// collections with indexes, and a disk would sync each file.
const suites = run('jest.engines.config.ts', ['--nodes=1', '--ttl=off', '--memory'], parameters);
// Arguments select suites; the journeys belong to a full run.
const journeys = parameters.length === 0 ? ['jest.engines-e2e.config.ts', 'jest.engines-networks.config.ts'] : [];
const ends = [suites, ...journeys.map((config) => run(config, ['--nodes=1', '--memory'], []))];
process.exit(ends.find((status) => status !== 0) ?? 0);

function run(config, mongodbOptions, more) {
  const options = { mongodb: mongodbOptions };
  const starting = missing.flatMap((address) => {
    const name = engines[address];
    return [process.execPath, join(root, `scripts/${name}.mjs`), ...(options[name] ?? []), '--'];
  });
  const [command, ...rest] = [...starting, ...jestCommand('--config', config, ...more)];
  return spawnSync(command, rest, { cwd: root, stdio: 'inherit', env: jestEnvironment }).status ?? 1;
}
