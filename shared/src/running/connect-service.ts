import type { Connection } from 'mongoose';
import { connectAmqpBroker } from '../messages/broker/amqp-broker';
import type { Broker } from '../messages/broker/broker';
import type { Logger } from '../observing/logs/logger';
import { connectMongo } from '../stores/mongo/connect-mongo';
import { warnOfSlowFailovers } from '../stores/mongo/slow-failovers';
import { brokerDependency, storeDependency } from './dependencies';
import type { Composition } from './run-service';

interface Connected extends Pick<Composition, 'dependencies' | 'closables'> {
  readonly connection: Connection;
  readonly broker: Broker;
}

/** Connects a service to its store and broker, with their health checks and shutdown. */
export async function connectService(
  service: string,
  { mongodbUrl, amqpUrl }: { readonly mongodbUrl: string; readonly amqpUrl: string },
  logger: Logger,
): Promise<Connected> {
  const connection = await connectMongo(mongodbUrl);
  await warnOfSlowFailovers(connection, logger);
  const broker = await connectAmqpBroker({ url: amqpUrl, service, logger });
  return {
    connection,
    broker,
    dependencies: [storeDependency(connection), brokerDependency(broker)],
    closables: [broker, connection],
  };
}
