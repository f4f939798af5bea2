import { AppError, notFound } from '@itsm/shared/base/errors/app-error';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Delivery } from '../deliveries/delivery';
import type { ScheduleRepository } from '../deliveries/delivery-schedule.repository';
import type { DeliveryRepository } from '../deliveries/delivery.repository';

interface Dependencies {
  readonly deliveries: Pick<DeliveryRepository, 'find'>;
  readonly schedule: Pick<ScheduleRepository, 'hasten'>;
  /** Reports that a stored delivery became due; it is attempted when a slot is free. */
  readonly wake: (delivery: Delivery) => void;
  readonly logger: Logger;
  readonly now: Clock;
}

export const skippedIsNotMade = 'A skipped delivery is made by redelivering those of its webhook';

export interface RetryService {
  /**
   * Makes the next attempt due now; its number does not change. 404 for a delivery of another account, 409 when no
   * attempt is waiting.
   */
  retry(accountId: string, id: string): Promise<Delivery>;
}

export function createRetryService({ deliveries, schedule, wake, logger, now }: Dependencies): RetryService {
  return {
    async retry(accountId, id) {
      const found = await deliveries.find(accountId, id);
      if (!found) throw notFound();
      // The conditional write decides, not the read: an attempt may begin or end in between.
      const isDue = await schedule.hasten(found, now());
      const delivery = await deliveries.find(accountId, id);
      if (!delivery) throw notFound();
      if (!isDue) throw new AppError('conflict', refusalOf(delivery));
      wake(delivery);
      const { webhookId } = delivery;
      logger.info('delivery retried on request', { deliveryId: id, accountId, webhookId });
      return delivery;
    },
  };
}

function refusalOf({ state }: Delivery): string {
  if (state === 'skipped') return skippedIsNotMade;
  return state === 'pending' ? 'An attempt is under way' : 'The delivery is finished';
}
