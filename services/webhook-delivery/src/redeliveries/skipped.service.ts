import type { DeliveryRequested, SkippedRedelivered } from '@itsm/shared/contracts/deliveries';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { DeliveryRepository } from '../deliveries/delivery.repository';
import type { StopRepository } from '../deliveries/stop.repository';
import { isSkipped, openTarget, releaseOf, toSkippedDelivery } from '../deliveries/skipped-delivery';
import type { SkippedRepository } from '../deliveries/skipped.repository';

interface Dependencies {
  readonly skipped: SkippedRepository;
  readonly deliveries: DeliveryRepository;
  readonly stops: StopRepository;
  readonly sealer: Sealer;
  readonly logger: Logger;
  readonly now: Clock;
}

export interface SkippedService {
  /** Stores a delivery that is not to be made; false when it is one that is. */
  keep(message: DeliveryRequested): Promise<boolean>;
  /** Has the skipped deliveries of a webhook made after all, unless it was stopped again since; a repeat finds none left. */
  redeliver(message: SkippedRedelivered): Promise<void>;
}

export function createSkippedService(dependencies: Dependencies): SkippedService {
  const { skipped, deliveries, stops, sealer, logger, now } = dependencies;

  async function redeliver(message: SkippedRedelivered): Promise<void> {
    const { accountId, webhookId } = message;
    const requestedAt = new Date(message.at);
    const target = openTarget(sealer, message);
    if (!target) throw new Error('The target of a redelivery cannot be opened');
    let count = 0;
    for await (const delivery of skipped.meant(message)) {
      if ((await stops.reasonAgainst({ ...delivery, requestedAt })) !== undefined) break;
      const release = releaseOf(delivery, target, sealer);
      if (!release) continue;
      await skipped.release(delivery, release, requestedAt, now());
      count += 1;
    }
    logger.info('skipped deliveries released', { accountId, webhookId, deliveries: count });
  }

  return {
    async keep(message) {
      if (!isSkipped(message)) return false;
      await deliveries.insert([toSkippedDelivery(message, sealer, now())]);
      return true;
    },
    redeliver,
  };
}
