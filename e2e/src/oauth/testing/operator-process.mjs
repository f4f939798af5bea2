// Another replica of auth without a port: it executes messages {id, path, args} of its parent process.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const compiled = createRequire(join(process.cwd(), 'dist/'));
const { connectAmqpBroker } = compiled('@itsm/shared/messages/broker/amqp-broker');
const { connectCoordination } = compiled('@itsm/shared/stores/coordination/connect-coordination');
const { createLogger } = compiled('@itsm/shared/observing/logs/logger');
const { connectMongo } = compiled('@itsm/shared/stores/mongo/connect-mongo');
const { createApp } = compiled('./app.js');
const { loadConfig } = compiled('./config.js');

const config = loadConfig(process.env);
const logger = createLogger('operator', 'warn');
const connection = await connectMongo(config.mongodbUrl);
const broker = await connectAmqpBroker({ url: config.amqpUrl, service: 'operator', logger });
const coordination = await connectCoordination(config.redisUrl, logger);
const passwordCost = { cost: 16, blockSize: 8, parallelization: 1 };
const now = () => new Date();
const app = createApp({ config, connection, broker, coordination, logger, now, passwordCost });
await app.start();

async function run({ path, args }) {
  const names = path.split('.');
  const owner = names.slice(0, -1).reduce((object, name) => object[name], app);
  return owner[names.at(-1)](...args);
}

process.on('message', (call) => {
  run(call).then(
    (value) => process.send({ id: call.id, value }),
    (error) => process.send({ id: call.id, error: `${call.path}: ${error.stack}` }),
  );
});
process.once('SIGTERM', async () => {
  await app.stop();
  await broker.close();
  await coordination.close();
  await connection.close();
  process.disconnect();
});
process.send({ id: 0 });
