import { runService } from '@itsm/shared/running/run-service';
import { connectService } from '@itsm/shared/running/connect-service';
import { systemClock } from '@itsm/shared/base/time/clock';
import { createApp } from './app';
import { loadConfig } from './config';

runService({
  service: 'ui-extensions',
  loadConfig: () => loadConfig(process.env),
  async compose(config, logger) {
    const { connection, broker, dependencies, closables } = await connectService('ui-extensions', config, logger);
    const app = createApp({ config, connection, broker, logger, now: systemClock });
    return { app, dependencies, closables };
  },
});
