// node auth-process.cjs <settings as JSON>: runs the compiled service as a separate process. It tells its parent when it serves,
// and what became of the rows of people that the parent sends.
const { peopleRowsImported, peopleRowsRead } = require('@itsm/shared/contracts/imports');
const { accountSaved, personSaved } = require('@itsm/shared/contracts/directory');
const { recordChanged } = require('@itsm/shared/contracts/records');
const { queues } = require('@itsm/shared/contracts/topology');
const { on } = require('@itsm/shared/messages/broker/broker');
const { createMemoryBroker } = require('@itsm/shared/messages/broker/memory-broker');
const { createLogger } = require('@itsm/shared/observing/logs/logger');
const { connectMongo } = require('@itsm/shared/stores/mongo/connect-mongo');
const { createApp } = require('../../dist/app.js');
const { loadConfig } = require('../../dist/config.js');

const queue = { name: 'test.directory', contracts: [accountSaved, personSaved, recordChanged, peopleRowsImported] };

async function main(settings) {
  const logger = createLogger('auth', 'error');
  const connection = await connectMongo(settings.MONGODB_URL);
  const broker = createMemoryBroker({ logger, queues: [queue, queues.peopleImports] });
  const passedOver = [accountSaved, personSaved, recordChanged].map((contract) => on(contract, async () => undefined));
  await broker.subscribe(queue, [...passedOver, on(peopleRowsImported, async (message) => process.send(message))]);
  const app = createApp({ config: loadConfig(settings), connection, broker, logger, now: () => new Date() });
  await app.start();
  process.on('message', (message) => void broker.publish(peopleRowsRead, message, `import ${message.importId}`));
  process.on('disconnect', () => process.exit());
  process.send('serves');
}

void main(JSON.parse(process.argv[2]));
