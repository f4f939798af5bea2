// node scripts/rabbitmq-node.mjs DIRECTORY PORT NODE_PORT MAPPER_PORT [NAME [FIRST]]: one RabbitMQ node with a port
// mapper that is already running; it ends with this process group. FIRST is a node of the cluster to join, on the same
// machine.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from './engine.mjs';
import { rabbitmqPrograms, rabbitmqSettings } from './rabbitmq-settings.mjs';

const [home, port, nodePort, mapperPort, name = 'rabbit', first] = process.argv.slice(2);
const directory = join(home, name);
mkdirSync(directory, { recursive: true });
const settings = { ...rabbitmqSettings(directory, port, nodePort), RABBITMQ_NODENAME: `${name}@localhost` };
if (first)
  appendFileSync(
    join(directory, 'rabbitmq.conf'),
    `cluster_formation.peer_discovery_backend = classic_config\ncluster_formation.classic_config.nodes.1 = ${first}@localhost\n`,
  );
const erlang = { HOME: home, ERL_EPMD_ADDRESS: '127.0.0.1', ERL_EPMD_PORT: mapperPort };
const node = spawn(findProgram(...rabbitmqPrograms.server), [], {
  cwd: directory,
  env: { ...process.env, ...erlang, ...settings },
  stdio: 'inherit',
});
node.on('exit', (code) => process.exit(code ?? 1));
