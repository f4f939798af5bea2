import type { Logger } from '../../observing/logs/logger';
import { connectAmqpBroker } from './amqp-broker';
import type { Broker } from './broker';

/** The broker of a service that runs as its own process. */
export const connectBroker = (url: string, service: string, logger: Logger): Promise<Broker> =>
  connectAmqpBroker({ url, service, logger });
