// node delivery-process.cjs <settings as JSON>: runs the compiled service as a child process. It takes requests from
// its parent, and reports each look at other processes to it.
const { createMemoryBroker } = require('@itsm/shared/messages/broker/memory-broker');
const { deliveryRequested } = require('@itsm/shared/contracts/deliveries');
const { createLogger } = require('@itsm/shared/observing/logs/logger');
const { connectMongo } = require('@itsm/shared/stores/mongo/connect-mongo');
const { createApp } = require('../../dist/app.js');

async function main({ mongodbUrl, authJwksUrl, deliveryKey }) {
  const logger = createLogger('webhook-delivery', 'error');
  const broker = createMemoryBroker({ logger });
  const connection = await connectMongo(mongodbUrl, { monitorCommands: true });
  connection.getClient().on('commandStarted', ({ command }) => {
    if (command.find === 'processes') process.send('look');
  });
  const app = createApp({
    config: {
      authJwksUrl,
      baseUrl: 'https://api.service.example',
      nodeIdDomain: 'service.example',
      deliveryKeys: [Buffer.from(deliveryKey, 'base64')],
      allowInsecureReceivers: true,
      deliveryHeaderAliases: [],
    },
    connection,
    broker,
    logger,
    now: () => new Date(),
  });
  await app.start();
  process.on('message', (message) => void broker.publish(deliveryRequested, message, message.deliveryId));
  process.on('disconnect', () => process.exit());
  process.send('ready');
}

void main(JSON.parse(process.argv[2]));
