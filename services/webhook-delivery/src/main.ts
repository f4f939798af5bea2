import { runService } from '@itsm/shared/running/run-service';
import { connectService } from '@itsm/shared/running/connect-service';
import { systemClock } from '@itsm/shared/base/time/clock';
import { register } from 'prom-client';
import { createApp } from './app';
import { loadConfig } from './config';

runService({
  service: 'webhook-delivery',
  loadConfig: () => loadConfig(process.env),
  async compose(config, logger) {
    const { connection, broker, dependencies, closables } = await connectService('webhook-delivery', config, logger);
    const app = createApp({ config, connection, broker, logger, now: systemClock, registry: register });
    return { app, dependencies, closables };
  },
});
