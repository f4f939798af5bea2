import { runService } from '@itsm/shared/running/run-service';
import { connectCoordination } from '@itsm/shared/stores/coordination/connect-coordination';
import { createMemoryCoordination } from '@itsm/shared/stores/coordination/memory-coordination';
import { coordinationDependency } from '@itsm/shared/running/dependencies';
import { systemClock } from '@itsm/shared/base/time/clock';
import { createApp } from './app';
import { loadConfig } from './config';

runService({
  service: 'gateway',
  loadConfig: () => loadConfig(process.env),
  async compose(config, logger) {
    const shared = await connectCoordination(config.redisUrl, logger);
    const coordination = shared ?? createMemoryCoordination({ now: systemClock });
    const app = createApp({ config, coordination, sharedRevisions: shared !== undefined, logger, now: systemClock });
    return {
      app,
      dependencies: [
        { name: 'supergraph', vital: true, isUp: () => app.ready().then(() => true) },
        // Not vital: the last good graph is still served, and the log has the refusal.
        { name: 'newest schemas', vital: false, isUp: async () => app.schemaState().refusal === undefined },
        coordinationDependency(coordination),
      ],
      closables: [coordination],
    };
  },
});
