import { on } from '@itsm/shared/messages/broker/broker';
import type { Handler } from '@itsm/shared/messages/broker/broker';
import { deliveryRequested, skippedRedelivered, webhookStopped } from '@itsm/shared/contracts/deliveries';
import { createBatcher } from '@itsm/shared/stores/mongo/batcher';
import type { Batcher } from '@itsm/shared/stores/mongo/batcher';
import type { Delivery } from '../deliveries/delivery';
import type { Deliverer } from './deliverer';
import type { SkippedService } from '../redeliveries/skipped.service';
import type { DeliveryRepository } from '../deliveries/delivery.repository';
import type { StopRepository } from '../deliveries/stop.repository';

interface Dependencies {
  readonly deliverer: Pick<Deliverer, 'accept'>;
  readonly skipped: SkippedService;
  readonly deliveries: DeliveryRepository;
  readonly stops: StopRepository;
}

/** Idempotent by delivery id; acknowledged once stored, whatever the receiver says later. */
export const deliveryHandlers = ({ deliverer, skipped, deliveries, stops }: Dependencies): readonly Handler[] => [
  on(deliveryRequested, async (message) => {
    if (!(await skipped.keep(message))) await deliverer.accept(message);
  }),
  on(skippedRedelivered, (message) => skipped.redeliver(message)),
  on(webhookStopped, async (message) => {
    // In this order: a delivery stored in between finds the stop, one stored before is found by it.
    await stops.remember(message);
    await deliveries.stop(message);
  }),
];

/** Requests that `webhooks` sends together arrive within milliseconds. */
const gatherMilliseconds = 5;

/** Stores deliveries, those that come together with one write; says of each whether it is new and still wanted. */
export function createIntake(deliveries: DeliveryRepository, stops: StopRepository): Batcher<Delivery, boolean> {
  return createBatcher(
    async (batch) => {
      const fresh = await deliveries.insert(batch);
      // A webhook may have been stopped since the request. Checked after the insert, so that no stop is missed.
      const reasons = await stops.reasonsAgainst(batch.filter((_delivery, index) => fresh[index]));
      const isWanted = async (delivery: Delivery, index: number): Promise<boolean> => {
        if (!fresh[index]) return false;
        const reason = reasons.get(delivery.id);
        return reason === undefined || !(await deliveries.giveUp(delivery, reason));
      };
      return Promise.all(batch.map(isWanted));
    },
    { gatherMilliseconds },
  );
}
