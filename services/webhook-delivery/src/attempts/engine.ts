import type { Connection } from 'mongoose';
import type { Registry } from 'prom-client';
import type { Broker } from '@itsm/shared/messages/broker/broker';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Outbound } from '@itsm/shared/outbound/calls/outbound';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import { createAttemptRunner } from './attempt-runner';
import type { ToOutboundRequest } from '../deliveries/sealed-request';
import { createDeliverer } from './deliverer';
import type { Deliverer } from './deliverer';
import { createLauncher } from './launcher';
import { createLines } from './lines';
import { createPresence } from './presence';
import { createPresenceRepository } from './presence.repository';
import { createResultRepository } from '../deliveries/delivery-result.repository';
import type { Recorded, Result } from '../deliveries/delivery-result.repository';
import { createScheduleRepository } from '../deliveries/delivery-schedule.repository';
import { createScheduler } from './scheduler';
import type { Lease } from '../deliveries/delivery';
import { destinationOf, lineOf } from '../deliveries/delivery';
import type { DeliveryRepository } from '../deliveries/delivery.repository';
import { createIntake } from './intake';
import type { StopRepository } from '../deliveries/stop.repository';
import { createHostGate } from '../hosts/host-gate';
import { createMetrics } from './attempt-metrics';
import type { Metrics } from './attempt-metrics';
import type { Signer } from '../signing/signer';
import { createBatcher } from '@itsm/shared/stores/mongo/batcher';

interface Dependencies {
  readonly connection: Connection;
  readonly broker: Broker;
  readonly deliveries: DeliveryRepository;
  readonly stops: StopRepository;
  readonly outbound: Outbound;
  readonly sealer: Sealer;
  readonly sign: Signer;
  readonly toOutboundRequest: ToOutboundRequest;
  readonly logger: Logger;
  readonly now: Clock;
  readonly random: () => number;
  readonly elapsed: () => number;
  readonly sweepMilliseconds: number;
  readonly registry: Registry;
  /** A message waits in an outbox. */
  readonly onOutbox: () => void;
}

/** Calls younger than a second, calls of any age, and those to one host. */
const limits = { overall: 100, open: 500, perHost: 50 };
/** Longer than any attempt, so that only a process that froze loses its lease; one that died has it ended by the others. */
const leaseMilliseconds = 30_000;

export interface Engine {
  readonly deliverer: Deliverer;
  readonly metrics: Metrics;
}

/** Everything between a requested delivery and its recorded result. */
export function createEngine(dependencies: Dependencies): Engine {
  const { connection, deliveries, stops, logger, now, random, elapsed, sweepMilliseconds, onOutbox } = dependencies;
  const schedule = createScheduleRepository(connection);
  const presence = createPresence({
    processes: createPresenceRepository(connection),
    leaseMilliseconds,
    intervalMilliseconds: sweepMilliseconds,
    logger,
    elapsed,
    async endLeases(owner) {
      const at = now();
      const left = await schedule.endLeases(owner, at);
      for (const line of left) lines.note(line, at.getTime());
      if (left.length > 0) scheduler.nudge();
    },
  });
  const lease = async (): Promise<Lease> => {
    const owner = await presence.ownerId();
    return { owner, until: new Date(now().getTime() + leaseMilliseconds) };
  };
  const results = createResultRepository(connection);
  const record = createBatcher<Result, Recorded>((batch) => results.record(batch));
  const lines = createLines();
  const gate = createHostGate({
    ...limits,
    elapsed,
    onRoom: (destination, forOthers) => {
      if (forOthers || lines.isDue(destination, now().getTime())) scheduler.nudge();
    },
  });
  const metrics = createMetrics({ registry: dependencies.registry, gate, lines, now });
  const runner = createAttemptRunner({
    ...dependencies,
    record,
    onRecorded(result) {
      const { delivery, verdict, told } = result;
      metrics.attempted(result);
      if (verdict.kind === 'retry') lines.note(lineOf('retry', destinationOf(delivery)), verdict.at.getTime());
      if (!told) onOutbox();
    },
  });
  const launcher = createLauncher(runner);
  const scheduler = createScheduler({
    ...dependencies,
    schedule,
    lines,
    gate,
    launcher,
    record,
    lease,
    now,
    random,
    onLost: () => metrics.lost(),
  });
  const deliverer = createDeliverer({
    ...dependencies,
    store: createIntake(deliveries, stops),
    lines,
    scheduler,
    launcher,
    runner,
    gate,
    presence,
    lease,
  });
  return { deliverer, metrics };
}
