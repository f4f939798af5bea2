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
  /** Stores a delivery; says whether it is new and still wanted. */
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
}

/** Takes deliveries in and attempts them. The schedule stands in the store; nothing here outlives the process. */
export interface Deliverer {
  /** Stores the delivery, once, and starts its first attempt; waits while there is no room for calls at all. */
  accept(message: DeliveryRequested): Promise<void>;
  /** Stores a delivery that is due, and says whether it is new; it is attempted when there is room. */
  enqueue(delivery: Delivery): Promise<boolean>;
  /** A stored delivery became due; it is attempted when there is room. */
  wake(delivery: Delivery): void;
  /** Starts looking for deliveries that are due or whose lease ran out. */
  start(): void;
  /** Claims nothing more and lets the attempts at work finish, for 11 s at most. */
  stop(): Promise<void>;
}

const graceMilliseconds = 11_000;

export function createDeliverer(dependencies: Dependencies): Deliverer {
  const { store, lines, scheduler, launcher, runner, gate, outbound, sealer, lease, now } = dependencies;

  function wake({ line }: Delivery): void {
    lines.note(line, now().getTime());
    scheduler.nudge();
  }

  return {
    async accept(message) {
      const { deliveryId: id, sealed } = message;
      const request = openRequest(sealer, { id, sealed });
      const host = hostOf(request);
      // What waits in the store came first.
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
