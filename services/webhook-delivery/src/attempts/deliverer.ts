import { setTimeout as pause } from 'node:timers/promises';
import type { DeliveryRequested } from '@itsm/shared/contracts/deliveries';
import type { Outbound } from '@itsm/shared/outbound/calls/outbound';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import { destinationOf, toDelivery } from '../deliveries/delivery';
import type { Delivery, Lease } from '../deliveries/delivery';
import type { HostGate } from '../hosts/host-gate';
import type { AttemptRunner } from './attempt-runner';
import { hostOf, openRequest } from '../deliveries/sealed-request';
import type { Launcher } from './launcher';
import type { Lines } from './lines';
import type { Scheduler } from './scheduler';

interface Dependencies {
  /** Stores a delivery; false for a known one, or one whose webhook was stopped since the request. */
  readonly store: (delivery: Delivery) => Promise<boolean>;
  readonly lines: Lines;
  readonly scheduler: Scheduler;
  readonly launcher: Launcher;
  readonly runner: AttemptRunner;
  readonly gate: HostGate;
  readonly outbound: Outbound;
  readonly sealer: Sealer;
  readonly lease: () => Promise<Lease>;
  readonly now: Clock;
  readonly graceMilliseconds: number;
}

/** Accepts deliveries and attempts them. The store has the schedule; the state here is only of this process. */
export interface Deliverer {
  /** Stores the delivery, idempotently, and starts its first attempt. Back-pressure: waits while all call slots are taken. */
  accept(message: DeliveryRequested): Promise<void>;
  /** Stores a due delivery for attempt when a slot is free; false when it was stored before. */
  enqueue(delivery: Delivery): Promise<boolean>;
  /** Reports that a stored delivery became due; it is attempted when a slot is free. */
  wake(delivery: Delivery): void;
  /** Starts polling for due deliveries and expired leases. */
  start(): void;
  /** Stops claiming, waits for running attempts, for `graceMilliseconds` at most, and abandons the others. */
  stop(): Promise<void>;
}

export function createDeliverer(dependencies: Dependencies): Deliverer {
  const { store, lines, scheduler, launcher, runner, gate, outbound, sealer, lease, now, graceMilliseconds } =
    dependencies;

  function wake({ line }: Delivery): void {
    lines.note(line, now().getTime());
    scheduler.nudge();
  }

  return {
    async accept(message) {
      const { deliveryId: id, sealed } = message;
      const request = openRequest(sealer, { id, sealed });
      const host = hostOf(request);
      // Deliveries waiting in the store came first and go first.
      const destination = destinationOf({ accountId: message.accountId, host });
      const slot = lines.isBehind(destination, now().getTime()) ? undefined : await gate.enter(destination);
      let delivery: Delivery | undefined;
      try {
        const fresh = toDelivery(message, host, now(), slot && (await lease()));
        if (await store(fresh)) delivery = fresh;
      } finally {
        if (!delivery) slot?.leave(undefined);
      }
      if (!delivery) return;
      if (slot) launcher.launch(delivery, slot, request);
      else wake(delivery);
    },
    async enqueue(delivery) {
      const isNew = await store(delivery);
      if (isNew) wake(delivery);
      return isNew;
    },
    wake,
    start() {
      scheduler.start();
    },
    async stop() {
      gate.close();
      await scheduler.stop();
      const finished = new AbortController();
      const grace = pause(graceMilliseconds, undefined, { signal: finished.signal }).catch(() => {});
      await Promise.race([launcher.finished(), grace]);
      finished.abort();
      runner.abandon();
      outbound.close();
      await launcher.finished();
    },
  };
}
