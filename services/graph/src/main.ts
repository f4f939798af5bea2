import { runService } from '@itsm/shared/running/run-service';
import { connectService } from '@itsm/shared/running/connect-service';
import { systemClock } from '@itsm/shared/base/time/clock';
import { createApp } from './app';
import { loadConfig } from './config';
import { startLargeQueries } from './start-large-queries';

runService({
  service: 'graph',
  loadConfig: () => loadConfig(process.env),
  async compose(config, logger) {
    const { connection, broker, dependencies, closables } = await connectService('graph', config, logger);
    const largeQueries = startLargeQueries({ mongodbUrl: config.mongodbUrl, config }, logger);
    const app = createApp({ config, connection, broker, logger, now: systemClock, largeQueries });
    return { app, dependencies, closables: [largeQueries, ...closables] };
  },
});
