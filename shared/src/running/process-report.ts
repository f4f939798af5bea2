import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Health, Phase } from '../observing/metrics/health';
import type { Closable } from './app';
import { metricsOfProcess } from './ops-server';

export type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** What a process of a group says of itself to the one that started it. */
export type FromProcess =
  | { readonly kind: 'health'; readonly phase: Phase; readonly isReady: boolean; readonly report: readonly string[] }
  | { readonly kind: 'metrics'; readonly metrics: Metrics };

/** What it is asked. */
export type ToProcess = 'metrics';

const reportMilliseconds = 250;

/** Says how this process is four times a second, and its metrics when asked. */
export function reportToPrimary(health: Health): Closable {
  const metrics = metricsOfProcess();
  // A process of a group ends by itself when the one that started it is gone: then nobody is left to tell.
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
