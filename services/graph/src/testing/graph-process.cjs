// node graph-process.cjs <settings as JSON>: runs the compiled service as a separate process. It reports to its parent
// the address, each poll of the processes, and each published event; with `hangs` no event is ever confirmed.
const { once } = require('node:events');
const { recordChanged } = require('@itsm/shared/contracts/records');
const { createMemoryBroker } = require('@itsm/shared/messages/broker/memory-broker');
const { createLogger } = require('@itsm/shared/observing/logs/logger');
const { connectMongo } = require('@itsm/shared/stores/mongo/connect-mongo');
const { createApp } = require('../../dist/app.js');

async function main({ mongodbUrl, authJwksUrl, hangs }) {
  const logger = createLogger('graph', 'error');
  const connection = await connectMongo(mongodbUrl, { monitorCommands: true });
  connection.getClient().on('commandStarted', ({ command }) => {
    if (command.find === 'processes') process.send('look');
  });
  const memory = createMemoryBroker({ logger });
  const broker = {
    ...memory,
    async publish(contract, message, id) {
      if (contract !== recordChanged) return memory.publish(contract, message, id);
      process.send({ id });
      if (hangs) await new Promise(() => {});
    },
  };
  const app = createApp({
    config: {
      authJwksUrl,
      baseUrl: 'https://api.service.example',
      nodeIdDomain: 'service.example',
      importMaxBytes: 20_000_000,
    },
    connection,
    broker,
    logger,
    now: () => new Date(),
  });
  await app.start();
  const server = app.http.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.on('disconnect', () => process.exit());
  process.send({ origin: `http://127.0.0.1:${server.address().port}` });
}

void main(JSON.parse(process.argv[2]));
