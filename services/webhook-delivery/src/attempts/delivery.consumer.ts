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

/** Idempotent by delivery id. A message is acknowledged once the delivery is stored, before any answer of the receiver. */
export const deliveryHandlers = ({ deliverer, skipped, deliveries, stops }: Dependencies): readonly Handler[] => [
  on(deliveryRequested, async (message) => {
    if (!(await skipped.keep(message))) await deliverer.accept(message);
  }),
  on(skippedRedelivered, (message) => skipped.redeliver(message)),
  on(webhookStopped, async (message) => {
    // Order matters: a delivery stored after `remember` sees the stop, one stored before it is ended by `stop`.
    await stops.remember(message);
    await deliveries.stop(message);
  }),
];

/** Short: the requests of one fan-out arrive within milliseconds. */
const gatherMilliseconds = 5;

/** Stores deliveries in batches; false for a known delivery, or one whose webhook was stopped since the request. */
export function createIntake(deliveries: DeliveryRepository, stops: StopRepository): Batcher<Delivery, boolean> {
  return createBatcher(
    async (batch) => {
      const fresh = await deliveries.insert(batch);
      // The webhook may have been stopped since the request. Checked after the insert: a concurrent stop either finds
      // the delivery or is found here.
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
