import { Counter, Gauge, Histogram } from 'prom-client';

/** Seconds, as OpenTelemetry advises for requests. */
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Labels are few and never hold an id, an address or an account: each value is a time series for ever. */
export const requestDuration = new Histogram({
  name: 'http_server_request_duration_seconds',
  help: 'Time from a request to the end of its answer',
  labelNames: ['service', 'method', 'status'],
  buckets: requestSeconds,
});

export const dependencyUp = new Gauge({
  name: 'dependency_up',
  help: 'Whether a dependency answered when it was last looked at (1) or not (0)',
  labelNames: ['name'],
});

export const outboxPublished = new Counter({
  name: 'outbox_publish_total',
  help: 'Outbox entries that were given to the broker, by result',
  labelNames: ['contract', 'result'],
});

type Outboxes = Map<string, () => Promise<number>>;

/** By collection: how many of its documents have something to send. Asked when the metrics are read. */
export const outboxes: Outboxes = new Map();

export const outboxPending = new Gauge({
  name: 'outbox_pending',
  help: 'Documents whose outbox waits to be sent',
  labelNames: ['collection'],
  async collect() {
    for (const [collection, count] of outboxes) this.set({ collection }, await count());
  },
});

export const messagesHandled = new Counter({
  name: 'messaging_process_total',
  help: 'Messages that were handled, by outcome',
  labelNames: ['queue', 'outcome'],
});

export const messageDuration = new Histogram({
  name: 'messaging_process_duration_seconds',
  help: 'Time to handle a message',
  labelNames: ['queue'],
  buckets: requestSeconds,
});
