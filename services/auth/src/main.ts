import { runService } from '@itsm/shared/running/run-service';
import { connectService } from '@itsm/shared/running/connect-service';
import { connectCoordination } from '@itsm/shared/stores/coordination/connect-coordination';
import { warnWithoutMailServer } from '@itsm/shared/outbound/mail/post';
import { coordinationDependency } from '@itsm/shared/running/dependencies';
import { systemClock } from '@itsm/shared/base/time/clock';
import { createApp } from './app';
import { loadConfig } from './config';
import { startHashing } from './start-hashing';

runService({
  service: 'auth',
  loadConfig: () => loadConfig(process.env),
  async compose(config, logger) {
    warnWithoutMailServer(config.smtpUrl, logger);
    const { connection, broker, dependencies, closables } = await connectService('auth', config, logger);
    const coordination = await connectCoordination(config.redisUrl, logger);
    const hashing = startHashing();
    const derivePassword = hashing.derive;
    const app = createApp({ config, connection, broker, coordination, logger, now: systemClock, derivePassword });
    return {
      app,
      dependencies: [...dependencies, ...(coordination ? [coordinationDependency(coordination)] : [])],
      closables: [hashing, ...(coordination ? [coordination] : []), ...closables],
    };
  },
});
