import { createBatcher } from '@itsm/shared/stores/mongo/batcher';
import type { Batcher } from '@itsm/shared/stores/mongo/batcher';
import type { Delivery } from '../deliveries/delivery';
import type { DeliveryRepository } from '../deliveries/delivery.repository';
import type { StopRepository } from '../deliveries/stop.repository';

/** Stores deliveries, those that come together with one write; says of each whether it is new and still wanted. */
export function createIntake(deliveries: DeliveryRepository, stops: StopRepository): Batcher<Delivery, boolean> {
  return createBatcher(async (batch) => {
    const fresh = await deliveries.insert(batch);
    // A webhook may have been stopped between the request and now; only after the insert is nothing missed.
    const reasons = await stops.reasonsAgainst(batch.filter((_delivery, index) => fresh[index]));
    const isWanted = async (delivery: Delivery, index: number): Promise<boolean> => {
      if (!fresh[index]) return false;
      const reason = reasons.get(delivery.id);
      return reason === undefined || !(await deliveries.giveUp(delivery, reason));
    };
    return Promise.all(batch.map(isWanted));
  });
}
