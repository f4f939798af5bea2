import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Health, Phase } from '../observing/metrics/health';
import type { Closable } from './app';
import { metricsOfProcess } from './ops-server';

export type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** Messages of a worker process to the primary. */
export type FromProcess =
  | { readonly kind: 'health'; readonly phase: Phase; readonly isReady: boolean; readonly report: readonly string[] }
  | { readonly kind: 'metrics'; readonly metrics: Metrics };

/** Messages of the primary to a worker. */
export type ToProcess = 'metrics';

const reportMilliseconds = 250;

/** Reports the health of this worker four times a second, and its metrics on request. */
export function reportToPrimary(health: Health): Closable {
  const metrics = metricsOfProcess();
  // When the primary is gone the message is dropped, and the worker ends by itself.
  const say = (message: FromProcess) => process.send?.(message, undefined, undefined, () => undefined);
  process.on('message', (message: ToProcess) => {
    if (message === 'metrics')
      void metrics.getMetricsAsJSON().then((values) => say({ kind: 'metrics', metrics: values }));
  });
  const timer = setInterval(() => {
    say({ kind: 'health', phase: health.phase(), isReady: health.isReady(), report: health.report() });
  }, reportMilliseconds);
  return { close: () => clearInterval(timer) };
}
