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

/** New connections are still served for this long, until every load balancer knows that the process is not ready. */
const unannouncedMilliseconds = 1_000;

/** The settings of every process. */
export interface ProcessConfig {
  readonly port: number;
  readonly host: string;
  readonly logLevel: LogLevel;
  readonly opsPort: number | undefined;
  readonly otlpEndpoint: string | undefined;
  readonly traceRatio: number;
  /** The number of worker processes, one by default. */
  readonly processes?: number;
}

/** The parts of a process; `closables` are closed in order, after the app. */
export interface Composition {
  readonly app: App;
  readonly dependencies: readonly Dependency[];
  readonly closables: readonly Closable[];
}

interface ServiceProcess<C extends ProcessConfig> {
  readonly service: string;
  /** Throws `ConfigError` for bad settings. */
  readonly loadConfig: () => C;
  readonly compose: (config: C, logger: Logger) => Promise<Composition>;
}

/** `node dist/main.js indexes`: creates the indexes of a new release before its first replica starts. */
async function makeIndexes(app: App, closables: readonly Closable[]): Promise<void> {
  await app.prepareStore();
  for (const closable of closables) await closable.close();
  process.stdout.write('The indexes are there\n');
}

/**
 * The life cycle of a deployed process: settings, tracing, composition, health and metrics, serving. On a signal the
 * reverse: unready, no new requests, no new messages, then the connections close.
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
    // A later worker replaces another one, so it waits for its dependencies while the remaining workers serve.
    if (isGroup && (cluster.worker?.id ?? 0) > processes) await settled(dependencies);
    const listening = await listen(app, config.port, host);
    measureRequests(listening.server, service);
    health.started();
    logger.info('listening', { port: listening.port, opsPort: ops[0]?.port });
    stopOnSignal(logger, [
      {
        close: async () => {
          health.draining();
          await Promise.all([pause(unannouncedMilliseconds), listening.farewell()]);
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

/** Waits for vital dependencies, for a limited time: other processes may lack them as well. */
const settled = (dependencies: readonly Dependency[]): Promise<unknown> =>
  withDeadline(
    Promise.all(dependencies.filter(({ vital }) => vital).map((dependency) => dependency.isUp())),
    settledMilliseconds,
    'what the process needs',
  ).catch(() => undefined);

/** Times every request of `server`, up to the end of its answer. */
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
  /** The base URL of an OTLP collector (`http://collector:4318`); undefined disables tracing. */
  readonly endpoint: string | undefined;
  /**
   * The share of traces that start here and are sampled, from 0 to 1; for others the sampling decision of the sender
   * holds.
   */
  readonly ratio: number;
}

const sendMilliseconds = 3_000;

/** Exports the spans of this process to a collector; closing flushes the rest, for 3 s at most. */
export function startTracing({ service, endpoint, ratio }: TracingOptions): Closable {
  if (endpoint === undefined) return { close: () => {} };
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: sendMilliseconds });
  return recordSpans(service, ratio, new BatchSpanProcessor(exporter, { exportTimeoutMillis: sendMilliseconds }));
}

/** Sends the spans of this process to `processor`. */
export function recordSpans(service: string, ratio: number, processor: SpanProcessor): Closable {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'itsm' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [processor],
  });
  provider.register();
  return { close: () => provider.shutdown() };
}
