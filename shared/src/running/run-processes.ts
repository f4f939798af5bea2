import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import type { Registry } from 'prom-client';
import { withDeadline } from '../base/concurrency/deadline';
import type { Phase } from '../observing/metrics/health';
import type { Logger } from '../observing/logs/logger';
import { metricsOfProcess, startOpsServer } from './ops-server';
import type { FromProcess, Metrics, ToProcess } from './process-report';
import { stopOnSignal } from './run-main';

interface GroupOptions {
  readonly processes: number;
  readonly opsPort: number | undefined;
  readonly host: string;
  readonly logger: Logger;
}

/** A worker process, with its last report. */
interface Member {
  readonly worker: Worker;
  readonly startedAt: number;
  heardAt: number;
  phase: Phase;
  isReady: boolean;
  report: readonly string[];
  metrics: Metrics;
  /** Resolvers of requests that wait for its metrics. */
  asking: (() => void)[];
}

const metricsMilliseconds = 4_000;
/** Like a single process on Kubernetes, a worker that is silent for this long is restarted. */
const silenceMilliseconds = 30_000;
const lookMilliseconds = 5_000;
/** A worker that lived this long counts as started successfully. */
const workedMilliseconds = 60_000;
const mostFailures = 10;
const restartMilliseconds = { first: 100, most: 30_000 } as const;

/**
 * Serves one port with several worker processes, which get connections in turn. Outside they look like one process: one
 * health check, merged metrics, one signal to stop. A worker that ends is restarted, with exponential back-off while
 * none lives for a minute. After eleven such ends in a row, or when a worker fails its first start, all stop with exit
 * 1.
 */
export async function runProcesses({ processes, opsPort, host, logger }: GroupOptions): Promise<void> {
  // Metrics may contain NaN and infinities, which JSON cannot represent.
  cluster.setupPrimary({ serialization: 'advanced' });
  const members = new Map<number, Member>();
  let departed = Promise.resolve<Metrics>([]);
  let phase: Phase = 'starting';
  let failures = 0;
  let allEnded = (): void => undefined;

  const all = (): readonly Member[] => [...members.values()];
  const serving = (): readonly Member[] => all().filter((member) => member.phase === 'serving');

  function start(): void {
    if (phase === 'draining') return;
    const worker = cluster.fork();
    const now = performance.now();
    const member: Member = {
      worker,
      startedAt: now,
      heardAt: now,
      phase: 'starting',
      isReady: false,
      report: [],
      metrics: [],
      asking: [],
    };
    members.set(worker.id, member);
    worker.on('message', (message: FromProcess) => hear(member, message));
    worker.on('error', (error) => logger.warn('A process was not reached', { process: worker.process.pid, error }));
    worker.once('exit', (code: number | null, signal: string | null) => end(member, code ?? signal));
  }

  function hear(member: Member, message: FromProcess): void {
    member.heardAt = performance.now();
    if (message.kind === 'metrics') {
      member.metrics = message.metrics;
      for (const done of member.asking.splice(0)) done();
      return;
    }
    Object.assign(member, message);
    if (phase !== 'starting' || serving().length < processes) return;
    phase = 'serving';
    logger.info('all processes serve', { processes, opsPort: ops[0]?.port });
  }

  function end(member: Member, how: number | string | null): void {
    members.delete(member.worker.id);
    for (const done of member.asking.splice(0)) done();
    // The counters of ended workers are kept in the sums, which must not fall.
    const counted = member.metrics.filter(isCount);
    departed = departed.then((before) => sumOf([before, counted]).getMetricsAsJSON());
    if (phase === 'draining') {
      if (members.size === 0) allEnded();
      return;
    }
    const facts = { process: member.worker.process.pid, how };
    if (phase === 'starting') return giveUp('A process could not start', facts);
    failures = performance.now() - member.startedAt < workedMilliseconds ? failures + 1 : 1;
    if (failures > mostFailures) return giveUp('Processes end again and again', facts);
    const inMilliseconds = Math.min(restartMilliseconds.first * 2 ** (failures - 1), restartMilliseconds.most);
    logger.warn('A process ended and is started again', { ...facts, inMilliseconds });
    setTimeout(start, inMilliseconds);
  }

  function giveUp(message: string, facts: object): void {
    logger.error(message, facts);
    stop(1);
  }

  async function ask(member: Member): Promise<Metrics> {
    const answered = new Promise<void>((resolve) => member.asking.push(resolve));
    member.worker.send('metrics' satisfies ToProcess, () => undefined);
    // A worker that does not answer in time counts with its last metrics.
    await withDeadline(answered, metricsMilliseconds, 'a process').catch(() => undefined);
    return member.metrics;
  }

  const own = metricsOfProcess([]);
  const health = {
    phase: () => phase,
    // A restarting worker does not matter: the others get the connections.
    isReady: () => phase === 'serving' && serving().length > 0 && serving().every(({ isReady }) => isReady),
    report: () => [
      `process ${phase}`,
      `${serving().length} of ${processes} processes serving`,
      ...all().flatMap(({ worker, report }) => report.map((line) => `${worker.process.pid}: ${line}`)),
    ],
  };
  const metrics = {
    contentType: own.contentType,
    metrics: async () => {
      const parts = await Promise.all([own.getMetricsAsJSON(), ...all().map(ask)]);
      return sumOf([...parts, await departed]).metrics();
    },
  };
  const ops = opsPort === undefined ? [] : [await startOpsServer(health, opsPort, host, metrics)];
  const watch = setInterval(() => {
    for (const { worker, heardAt } of all()) {
      if (performance.now() - heardAt < silenceMilliseconds) continue;
      logger.warn('A process is silent and is ended', { process: worker.process.pid });
      worker.process.kill('SIGKILL');
    }
  }, lookMilliseconds);
  const stop = stopOnSignal(logger, [
    {
      close: () =>
        new Promise<void>((resolve) => {
          phase = 'draining';
          allEnded = resolve;
          clearInterval(watch);
          for (const { worker } of all()) worker.process.kill('SIGTERM');
          if (members.size === 0) resolve();
        }),
    },
    ...ops,
  ]);
  for (let count = 0; count < processes; count += 1) start();
}

/** Counters and histograms, which only grow. */
const isCount = ({ type }: Metrics[number]): boolean => ['counter', 'histogram'].includes(String(type));

/** Metrics for which a sum makes no sense: the maximum counts. */
const greatest = /^(process_start_time_seconds|process_(open|max)_fds|nodejs_eventloop_lag_\w+)$/;

function sumOf(parts: readonly Metrics[]): Registry {
  const compared = parts.map((metrics) =>
    metrics.map((metric) => (greatest.test(metric.name) ? { ...metric, aggregator: 'max' } : metric)),
  );
  return AggregatorRegistry.aggregate(compared);
}
