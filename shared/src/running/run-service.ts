import cluster from 'node:cluster';
import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import type { SpanProcessor } from '@opentelemetry/sdk-trace-node';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { createHealth } from '../observing/metrics/health';
import type { Dependency } from '../observing/metrics/health';
import { requestDuration } from '../observing/metrics/metrics';
import { withDeadline } from '../base/concurrency/deadline';
import { startOpsServer } from './ops-server';
import { createLogger } from '../observing/logs/logger';
import type { LogLevel, Logger } from '../observing/logs/logger';
import type { App, Closable } from './app';
import { listen } from './listen';
import { reportToPrimary } from './process-report';
import { runProcesses } from './run-processes';
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
  /** The number of worker processes, default one. */
  readonly processes?: number;
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
    const isForIndexes = process.argv[2] === 'indexes';
    const { processes = 1, opsPort, host } = config;
    const isGroup = processes > 1 && !isForIndexes;
    if (isGroup && cluster.isPrimary) return runProcesses({ processes, opsPort, host, logger });
    const tracing = startTracing({ service, endpoint: config.otlpEndpoint, ratio: config.traceRatio });
    const { app, dependencies, closables } = await compose(config, logger);
    if (isForIndexes) {
      await makeIndexes(app, [...closables, tracing]);
      return;
    }
    const health = createHealth(dependencies, logger);
    const ops = isGroup || opsPort === undefined ? [] : [await startOpsServer(health, opsPort, host)];
    const reports = isGroup ? [reportToPrimary(health)] : [];
    await app.start();
    // A later worker replaces another one; the remaining ones serve meanwhile.
    if (isGroup && (cluster.worker?.id ?? 0) > processes) await settled(dependencies);
    const listening = await listen(app, config.port, host);
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
      ...reports,
      tracing,
    ]);
  });
}

const settledMilliseconds = 30_000;

/** Waits a while for everything vital: other processes may be without it as well. */
const settled = (dependencies: readonly Dependency[]): Promise<unknown> =>
  withDeadline(
    Promise.all(dependencies.filter(({ vital }) => vital).map((dependency) => dependency.isUp())),
    settledMilliseconds,
    'what the process needs',
  ).catch(() => undefined);

/** Times every request of `server`, to the end of its answer. */
export function measureRequests(server: Server, service: string): void {
  server.prependListener('request', ({ method = 'GET' }, res) => {
    const started = performance.now();
    res.once('close', () => {
      const status = res.headersSent ? String(res.statusCode) : 'cut';
      requestDuration.observe({ service, method, status }, (performance.now() - started) / 1000);
    });
  });
}

interface TracingOptions {
  readonly service: string;
  /** Base address of an OTLP collector (`http://collector:4318`); undefined: no tracing. */
  readonly endpoint: string | undefined;
  /** Share of the traces that begin here, from 0 to 1; what others began is followed as they decided. */
  readonly ratio: number;
}

const sendMilliseconds = 3_000;

/** Sends the spans of this process to a collector; closing sends what is left, for 3 s at most. */
export function startTracing({ service, endpoint, ratio }: TracingOptions): Closable {
  if (endpoint === undefined) return { close: () => {} };
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: sendMilliseconds });
  return recordSpans(service, ratio, new BatchSpanProcessor(exporter, { exportTimeoutMillis: sendMilliseconds }));
}

/** Gives the spans of this process to `processor`. */
export function recordSpans(service: string, ratio: number, processor: SpanProcessor): Closable {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'itsm' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [processor],
  });
  provider.register();
  return { close: () => provider.shutdown() };
}
