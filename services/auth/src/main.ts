import { runService } from '@itsm/shared/running/run-service';
import { connectBroker } from '@itsm/shared/messages/broker/connect-broker';
import { connectCoordination } from '@itsm/shared/stores/coordination/connect-coordination';
import { warnWithoutMailServer } from '@itsm/shared/outbound/mail/post';
import { connectMongo } from '@itsm/shared/stores/mongo/connect-mongo';
import { brokerDependency, coordinationDependency, storeDependency } from '@itsm/shared/running/dependencies';
import { systemClock } from '@itsm/shared/base/time/clock';
import { createApp } from './app';
import { loadConfig } from './config';

runService({
  service: 'auth',
  loadConfig: () => loadConfig(process.env),
  async compose(config, logger) {
    warnWithoutMailServer(config.smtpUrl, logger);
    const connection = await connectMongo(config.mongodbUrl);
    const broker = await connectBroker(config.amqpUrl, 'auth', logger);
    const coordination = await connectCoordination(config.redisUrl, logger);
    const app = createApp({ config, connection, broker, coordination, logger, now: systemClock });
    return {
      app,
      dependencies: [
        storeDependency(connection),
        brokerDependency(broker),
        ...(coordination ? [coordinationDependency(coordination)] : []),
      ],
      closables: [broker, ...(coordination ? [coordination] : []), connection],
    };
  },
});
