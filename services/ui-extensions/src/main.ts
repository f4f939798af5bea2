import { runService } from '@itsm/shared/running/run-service';
import { connectMongo } from '@itsm/shared/stores/mongo/connect-mongo';
import { storeDependency } from '@itsm/shared/running/dependencies';
import { systemClock } from '@itsm/shared/base/time/clock';
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
