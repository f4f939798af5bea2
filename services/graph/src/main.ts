import { runService } from '@itsm/shared/running/run-service';
import { connectBroker } from '@itsm/shared/messages/broker/connect-broker';
import { connectMongo } from '@itsm/shared/stores/mongo/connect-mongo';
import { brokerDependency, storeDependency } from '@itsm/shared/running/dependencies';
import { systemClock } from '@itsm/shared/base/time/clock';
import { createApp } from './app';
import { loadConfig } from './config';

runService({
  service: 'graph',
  loadConfig: () => loadConfig(process.env),
  async compose(config, logger) {
    const connection = await connectMongo(config.mongodbUrl);
    const broker = await connectBroker(config.amqpUrl, 'graph', logger);
    const app = createApp({ config, connection, broker, logger, now: systemClock });
    return {
      app,
      dependencies: [storeDependency(connection), brokerDependency(broker)],
      closables: [broker, connection],
    };
  },
});
