import { setTimeout as pause } from 'node:timers/promises';
import type { Dependency } from '../observing/metrics/health';
import { createHealth } from '../observing/metrics/health';
import { measureRequests } from './measure-requests';
import { startOpsServer } from './ops-server';
import type { LogLevel, Logger } from '../observing/logs/logger';
import { createLogger } from '../observing/logs/logger';
import { startTracing } from './start-tracing';
import type { App, Closable } from './app';
import { listen } from './listen';
import { runMain, stopOnSignal } from './run-main';

/** Time for clients that keep connections to learn that these end. */
const farewellMilliseconds = 1_000;

/** The settings that every process has. */
export interface ProcessConfig {
  readonly port: number;
  readonly host: string;
  readonly logLevel: LogLevel;
  readonly opsPort: number | undefined;
  readonly otlpEndpoint: string | undefined;
  readonly traceRatio: number;
}

/** What a process is made of; `closables` are closed in order, after the app. */
export interface Composition {
  readonly app: App;
  readonly dependencies: readonly Dependency[];
  readonly closables: readonly Closable[];
}

interface ServiceProcess<C extends ProcessConfig> {
  readonly service: string;
  /** Throws `ConfigError` for settings that need attention. */
  readonly loadConfig: () => C;
  readonly compose: (config: C, logger: Logger) => Promise<Composition>;
}

/** `node dist/main.js indexes`: what a new release needs in its store is made before its first replica starts. */
async function makeIndexes(app: App, closables: readonly Closable[]): Promise<void> {
  await app.prepareStore();
  for (const closable of closables) await closable.close();
  process.stdout.write('The indexes are there\n');
}

/**
 * The life of a deployed process: settings, tracing, composition, health and metrics, serving, and on a signal the same
 * backwards: not ready, no new requests, no new messages, then the connections.
 */
export function runService<C extends ProcessConfig>({ service, loadConfig, compose }: ServiceProcess<C>): void {
  runMain(async () => {
    const config = loadConfig();
    const logger = createLogger(service, config.logLevel);
    const tracing = startTracing({ service, endpoint: config.otlpEndpoint, ratio: config.traceRatio });
    const { app, dependencies, closables } = await compose(config, logger);
    if (process.argv[2] === 'indexes') {
      await makeIndexes(app, [...closables, tracing]);
      return;
    }
    const health = createHealth(dependencies, logger);
    const ops = config.opsPort === undefined ? [] : [await startOpsServer(health, config.opsPort, config.host)];
    await app.start();
    const listening = await listen(app.http, config.port, config.host);
    measureRequests(listening.server, service);
    health.started();
    logger.info('listening', { port: listening.port, opsPort: ops[0]?.port });
    stopOnSignal(logger, [
      {
        close: async () => {
          health.draining();
          listening.endConnections();
          await pause(farewellMilliseconds);
        },
      },
      listening,
      { close: () => app.stop() },
      ...closables,
      health,
      ...ops,
      tracing,
    ]);
  });
}
