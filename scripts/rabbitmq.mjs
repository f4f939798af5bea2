// node scripts/rabbitmq.mjs -- <command>: runs the command with AMQP_URL of a temporary RabbitMQ.
import { findProgram, freePorts, runWithEngine, waitUntilReady } from './engine.mjs';
import { rabbitmqPrograms, rabbitmqSettings } from './rabbitmq-settings.mjs';

const server = findProgram(...rabbitmqPrograms.server);
const portMapper = findProgram(...rabbitmqPrograms.portMapper);

await runWithEngine('rabbitmq', async (directory, run) => {
  const [port, nodePort, mapperPort] = await freePorts(3);
  const erlang = { HOME: directory, ERL_EPMD_ADDRESS: '127.0.0.1', ERL_EPMD_PORT: `${mapperPort}` };
  // Started here, because the node would start a port mapper itself and leave it running.
  const askForNames = Buffer.from([0, 1, 'n'.charCodeAt(0)]);
  await waitUntilReady(run(portMapper, [], erlang), mapperPort, askForNames);
  const node = run(server, [], { ...erlang, ...rabbitmqSettings(directory, port, nodePort) });
  await waitUntilReady(node, port, Buffer.from('AMQP\0\0\x09\x01', 'latin1'));
  return { AMQP_URL: `amqp://guest:guest@127.0.0.1:${port}` };
});
