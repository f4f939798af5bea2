import { runService } from '@itsm/shared/running/run-service';
import { connectService } from '@itsm/shared/running/connect-service';
import { warnWithoutMailServer } from '@itsm/shared/outbound/mail/post';
import { systemClock } from '@itsm/shared/base/time/clock';
import { createApp } from './app';
import { loadConfig } from './config';

runService({
  service: 'webhooks',
  loadConfig: () => loadConfig(process.env),
  async compose(config, logger) {
    warnWithoutMailServer(config.smtpUrl, logger);
    const { connection, broker, dependencies, closables } = await connectService('webhooks', config, logger);
    const app = createApp({ config, connection, broker, logger, now: systemClock });
    return { app, dependencies, closables };
  },
});
