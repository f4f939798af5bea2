import { systemClock } from '@itsm/shared/base/time/clock';
import { runService } from '@itsm/shared/running/run-service';
import { createApp } from './app';
import { loadConfig } from './config';

runService({
  service: 'console',
  loadConfig: () => loadConfig(process.env),
  compose(config, logger) {
    const app = createApp({ config, logger, now: systemClock });
    // No dependencies: every request comes through the gateway, which is also the only upstream.
    return Promise.resolve({ app, dependencies: [], closables: [] });
  },
});
