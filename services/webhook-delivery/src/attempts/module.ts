import { Registry } from 'prom-client';
import type { Broker } from '@itsm/shared/messages/broker/broker';
import { createOutbound } from '@itsm/shared/outbound/calls/outbound';
import type { Outbound } from '@itsm/shared/outbound/calls/outbound';
import { queues } from '@itsm/shared/contracts/topology';
import type { MessagingPlatform, Module } from '@itsm/shared/running/module';
import { createAttemptRunner } from './attempt-runner';
import { createDeliverer } from './deliverer';
import { createLauncher } from './launcher';
import { createLines } from './lines';
import { createResultRepository } from '../deliveries/delivery-result.repository';
import { createScheduleRepository } from '../deliveries/delivery-schedule.repository';
import { createRecorder } from './recorder';
import { createScheduler } from './scheduler';
import type { Delivery, Lease } from '../deliveries/delivery';
import { destinationOf, lineOf } from '../deliveries/delivery';
import type { Deliveries } from '../deliveries/module';
import type { Redeliveries } from '../redeliveries/module';
import { createIntake, deliveryHandlers } from './delivery.consumer';
import { createHostGate } from '../hosts/host-gate';
import { createMetrics } from './attempt-metrics';
import type { Signer } from '../signing/signer';

export interface AttemptOptions {
  /** Random numbers from 0 to 1, for the jitter of retries. */
  readonly random?: () => number;
  readonly outbound?: Outbound;
  /** Polling interval for due deliveries and for dead processes, default 1 s. */
  readonly sweepMilliseconds?: number;
  /** How long a stop waits for running attempts, default 11 s: longer than a call. */
  readonly graceMilliseconds?: number;
  /** The metrics registry; default: a new one. */
  readonly registry?: Registry;
  /** A monotonic clock, in milliseconds. */
  readonly elapsed?: () => number;
}

interface Needs {
  readonly deliveries: Deliveries;
  readonly redeliveries: Redeliveries;
  readonly sign: Signer;
  readonly broker: Broker;
  readonly allowInsecure: boolean;
  readonly options: AttemptOptions;
}

/**
 * Longer than any attempt, so that only a frozen process loses its lease by time. The leases of a dead process are
 * ended by the others.
 */
const leaseMilliseconds = 30_000;
/** How long a result waits to be batched with others. */
const gatherMilliseconds = 100;
/** Prefetch: messages that may wait for a slot; the others wait at the broker (back-pressure). */
const messagesAtOnce = 200;

export interface Attempts extends Module {
  /** Stores a due delivery for attempt when a slot is free; false when it was stored before. */
  enqueue(delivery: Delivery): Promise<boolean>;
  /** Reports that a stored delivery became due; it is attempted when a slot is free. */
  wake(delivery: Delivery): void;
  /** The metrics of this process, for Prometheus. */
  readonly registry: Registry;
}

/** The module of attempts: from a delivery request to its recorded result. */
export function createAttempts(platform: MessagingPlatform, needs: Needs): Attempts {
  const { connection, sealer, presence, logger, now, nudge } = platform;
  const { deliveries, redeliveries, sign, broker, allowInsecure, options } = needs;
  const { outbound = createOutbound({ allowInsecure }), registry = new Registry() } = options;
  const {
    random = Math.random,
    elapsed = () => performance.now(),
    sweepMilliseconds = 1_000,
    graceMilliseconds = 11_000,
  } = options;
  const { store, stops, toOutboundRequest } = deliveries;
  const schedule = createScheduleRepository(connection);
  const lines = createLines();
  const results = createResultRepository(connection);
  const record = createRecorder({ results, broker, nudge, gatherMilliseconds });
  const gate = createHostGate({ overall: 100, open: 500, perHost: 50, elapsed });
  const metrics = createMetrics({ registry, gate, lines, now });
  const runner = createAttemptRunner({
    toOutboundRequest,
    record,
    outbound,
    sealer,
    sign,
    logger,
    now,
    random,
    onRecorded(result) {
      const { delivery, verdict } = result;
      metrics.attempted(result);
      if (verdict.kind === 'retry') lines.note(lineOf('retry', destinationOf(delivery)), verdict.at.getTime());
    },
  });
  const launcher = createLauncher(runner);
  const lease = async (): Promise<Lease> => {
    const owner = await presence.ownerId(leaseMilliseconds, () => launcher.isBusy());
    return { owner, until: new Date(now().getTime() + leaseMilliseconds) };
  };
  const scheduler = createScheduler({
    schedule,
    lines,
    gate,
    launcher,
    record,
    onLost: () => metrics.lost(),
    lease,
    logger,
    now,
    random,
    sweepMilliseconds,
  });
  gate.onRoom((destination, forOthers) => {
    if (forOthers || lines.isDue(destination, now().getTime())) scheduler.nudge();
  });
  presence.onGone(async (owner) => {
    const at = now();
    const left = await schedule.endLeases(owner, at);
    for (const line of left) lines.note(line, at.getTime());
    if (left.length > 0) scheduler.nudge();
  });
  const deliverer = createDeliverer({
    store: createIntake(store, stops),
    lines,
    scheduler,
    launcher,
    runner,
    gate,
    outbound,
    sealer,
    lease,
    now,
    graceMilliseconds,
  });
  const handlers = deliveryHandlers({ deliverer, skipped: redeliveries.skipped, deliveries: store, stops });
  return {
    enqueue: (delivery) => deliverer.enqueue(delivery),
    wake: (delivery) => deliverer.wake(delivery),
    registry,
    consumers: [{ queue: queues.deliveries, handlers, options: { prefetch: messagesAtOnce } }],
    runners: [deliverer],
  };
}
