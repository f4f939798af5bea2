// npm run test:engines [-- jest arguments]: everything that uses a store, a broker or coordination, on real servers, then the
// journeys through separate processes. A server whose address is in the environment is used; the others are started.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepare, root, say } from './prepare.mjs';

const script = (name) => join(root, 'scripts', name);
const engines = { AMQP_URL: 'rabbitmq.mjs', REDIS_URL: 'redis.mjs', MONGODB_URL: 'mongodb.mjs' };
const missing = Object.keys(engines).filter((address) => !process.env[address]);
const starting = missing.flatMap((address) => [process.execPath, script(engines[address]), '--']);

// The driver imports node:os while it connects; without this flag that import fails under jest, and a MongoDB refuses the connection.
const NODE_OPTIONS =
  `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`.trim();

await prepare();
for (const address of Object.keys(engines))
  say(`${address}: ${missing.includes(address) ? `started by scripts/${engines[address]}` : 'given'}`);
const parameters = process.argv.slice(2);
const suites = run('jest.engines.config.ts', parameters);
// Arguments choose among the suites; the journeys belong to a full run.
const journeys = parameters.length === 0 ? run('jest.engines-e2e.config.ts', []) : 0;
process.exit(suites || journeys);

function run(config, more) {
  const [command, ...rest] = [...starting, process.execPath, join(root, 'node_modules/jest/bin/jest.js')];
  const parameters = [...rest, '--config', config, ...more];
  return (
    spawnSync(command, parameters, { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_OPTIONS } }).status ?? 1
  );
}
