import { systemClock } from '@itsm/shared/base/time/clock';
import { runService } from '@itsm/shared/running/run-service';
import { createApp } from './app';
import { loadConfig } from './config';

runService({
  service: 'console',
  loadConfig: () => loadConfig(process.env),
  compose(config, logger) {
    const app = createApp({ config, logger, now: systemClock });
    // Every request comes through the gateway: there is nothing else that could be missing.
    return Promise.resolve({ app, dependencies: [], closables: [] });
  },
});
