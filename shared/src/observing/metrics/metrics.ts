import { Counter, Gauge, Histogram } from 'prom-client';
import { withDeadline } from '../../base/concurrency/deadline';

/** In seconds; the buckets that OpenTelemetry recommends for requests. */
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Labels have few values, never an id, an address or an account: each value is a time series. */
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
  // In a group of processes the worst value counts.
  aggregator: 'min',
});

export const clockSkew = new Gauge({
  name: 'clock_skew_seconds',
  help: 'How far the clock of a peer is ahead of that of this process, at least; negative when it is behind',
  labelNames: ['peer'],
  // The processes of a group share one machine's clock.
  aggregator: 'average',
});

export const outboxPublished = new Counter({
  name: 'outbox_publish_total',
  help: 'Outbox entries that were given to the broker, by result',
  labelNames: ['contract', 'result'],
});

const valuesLeftOut = new Counter({
  name: 'metrics_left_out_total',
  help: 'Values that were left out since who had to be asked for them did not answer in time',
  labelNames: ['metric'],
});

type Ask = () => Promise<number>;

/** How long a scrape waits for values that have to be read elsewhere. */
const askingMilliseconds = 2_000;

/** Sets `gauge` to the results of `asks`; a value that fails or is late is left out and does not delay the others. */
async function setByAsking<T extends string>(
  gauge: Gauge<T>,
  metric: string,
  asks: readonly (readonly [labels: Record<T, string>, ask: Ask])[],
): Promise<void> {
  const setOne = async (labels: Record<T, string>, ask: Ask): Promise<void> => {
    try {
      gauge.set(labels, await withDeadline(ask(), askingMilliseconds, metric));
    } catch {
      // An old value would look current.
      gauge.remove(labels);
      valuesLeftOut.inc({ metric });
    }
  };
  await Promise.all(asks.map(([labels, ask]) => setOne(labels, ask)));
}

/** By collection: reads the number of documents with waiting entries, on each scrape. */
export const outboxes = new Map<string, Ask>();

export const outboxPending = new Gauge({
  name: 'outbox_pending',
  help: 'Documents whose outbox waits to be sent',
  labelNames: ['collection'],
  async collect() {
    await setByAsking(
      this,
      'outbox_pending',
      [...outboxes].map(([collection, count]) => [{ collection }, count]),
    );
  },
});

export const recordCountsRepaired = new Counter({
  name: 'record_counts_repaired_total',
  help: 'Counts of the records of an account that were wrong and have been repaired',
  labelNames: ['type'],
});

export const eventsHeldBack = new Counter({
  name: 'webhook_events_held_back_total',
  help: 'Events that wait in the store, since their account has more deliveries than its pace',
});

export const accountsHeldBack = new Gauge({
  name: 'webhook_accounts_held_back',
  help: 'Accounts whose events wait, as far as this process knows',
  // Each process of a group knows of most of them.
  aggregator: 'max',
});

export const consoleSignIns = new Counter({
  name: 'console_sign_ins_total',
  help: 'Sign-ins and renewals at the console, by outcome',
  labelNames: ['kind', 'outcome'],
});

export const consoleAssetMisses = new Counter({
  name: 'console_asset_misses_total',
  help: 'Files of the console that were asked for and are not there, as those of a former release',
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

/** Reads the numbers of a queue, on each scrape. */
export interface WatchedQueue {
  /** Messages that wait for a consumer. */
  messages(): Promise<number>;
  consumers(): Promise<number>;
  /** Messages in its dead-letter queue. */
  deadLetters(): Promise<number>;
}

/** The queues that this process consumes, by name. */
export const watchedQueues = new Map<string, WatchedQueue>();

const ofQueues = (number: keyof WatchedQueue) =>
  [...watchedQueues].map(([queue, watched]) => [{ queue }, () => watched[number]()] as const);

new Gauge({
  name: 'messaging_queue_messages',
  help: 'Messages that wait in a queue for a consumer',
  labelNames: ['queue'],
  async collect() {
    await setByAsking(this, 'messaging_queue_messages', ofQueues('messages'));
  },
});

new Gauge({
  name: 'messaging_queue_consumers',
  help: 'Consumers of a queue, of all processes together',
  labelNames: ['queue'],
  async collect() {
    await setByAsking(this, 'messaging_queue_consumers', ofQueues('consumers'));
  },
});

new Gauge({
  name: 'messaging_queue_dead_letters',
  help: 'Messages of a queue that were put aside and wait for an operator',
  labelNames: ['queue'],
  async collect() {
    await setByAsking(this, 'messaging_queue_dead_letters', ofQueues('deadLetters'));
  },
});
