import { parentPort, workerData } from 'node:worker_threads';
import { loggerThrough, serveLargeQueries } from '@itsm/shared/api/graphql/serve-large-queries';
import { systemClock } from '@itsm/shared/base/time/clock';
import type { Broker } from '@itsm/shared/messages/broker/broker';
import { connectMongo } from '@itsm/shared/stores/mongo/connect-mongo';
import { createApp } from './app';
import type { LargeQuerySetup } from './start-large-queries';

// The same service, but it answers queries only: no messages, no imports, no indexes.
const { mongodbUrl, config } = workerData as LargeQuerySetup;
const port = parentPort;
if (!port) throw new Error('this is run as a thread');

const logger = loggerThrough(port);
const silent = (): Promise<never> => Promise.reject(new Error('this thread takes and sends no messages'));
const broker = { publish: silent, subscribe: silent } as unknown as Broker;

const started = (async () => {
  const connection = await connectMongo(mongodbUrl);
  const { subgraph } = createApp({ config, connection, broker, logger, now: systemClock });
  await subgraph.start();
  return subgraph;
})();
serveLargeQueries(port, { answer: async (query) => (await started).answer(query) });
