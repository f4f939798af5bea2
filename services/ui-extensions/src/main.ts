import { runService } from '@itsm/shared/app/run-service';
import { connectMongo } from '@itsm/shared/mongo/connect-mongo';
import { storeDependency } from '@itsm/shared/operations/dependencies';
import { systemClock } from '@itsm/shared/time/clock';
import { createApp } from './app';
import { loadConfig } from './config';

runService({
  service: 'ui-extensions',
  loadConfig: () => loadConfig(process.env),
  async compose(config, logger) {
    const connection = await connectMongo(config.mongodbUrl);
    const app = createApp({ config, connection, logger, now: systemClock });
    return {
      app,
      dependencies: [storeDependency(connection)],
      closables: [connection],
    };
  },
});
