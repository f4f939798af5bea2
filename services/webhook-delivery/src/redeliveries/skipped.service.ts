import { sealedTarget } from '@itsm/shared/contracts/deliveries';
import type {
  DeliveryRequested,
  SealedRequest,
  SealedTarget,
  SkippedRedelivered,
} from '@itsm/shared/contracts/deliveries';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Clock } from '@itsm/shared/base/time/clock';
import { toDelivery } from '../deliveries/delivery';
import type { Delivery } from '../deliveries/delivery';
import type { DeliveryRepository } from '../deliveries/delivery.repository';
import { hostOf, openRequest } from '../deliveries/sealed-request';
import type { Release, SkippedRepository } from '../deliveries/skipped.repository';
import type { StopRepository } from '../deliveries/stop.repository';

interface Dependencies {
  readonly skipped: SkippedRepository;
  readonly deliveries: DeliveryRepository;
  readonly stops: StopRepository;
  readonly sealer: Sealer;
  readonly logger: Logger;
  readonly now: Clock;
}

export interface SkippedService {
  /** Stores a delivery requested as skipped; false for any other, which must be attempted. */
  keep(message: DeliveryRequested): Promise<boolean>;
  /** Releases the selected skipped deliveries, unless the webhook was stopped since the request. Idempotent: a repeat finds none left. */
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
    for await (const delivery of skipped.select(message)) {
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

type Skipped = DeliveryRequested & { readonly skipped: NonNullable<DeliveryRequested['skipped']> };

const isSkipped = (message: DeliveryRequested): message is Skipped => message.skipped !== undefined;

/** The stored form of a skipped delivery, whose webhook was unverified or disabled at the time of the event. */
function toSkippedDelivery(message: Skipped, sealer: Sealer, now: Date): Delivery {
  const host = hostOf(openRequest(sealer, { id: message.deliveryId, sealed: message.sealed }));
  const delivery = toDelivery(message, host, now, undefined);
  return { ...delivery, state: 'skipped', stoppedBecause: message.skipped, dueAt: null };
}

/** The present address and signing of the webhook; undefined when no key of the ring opens it. */
function openTarget(sealer: Sealer, { redeliveryId, sealed }: SkippedRedelivered): SealedTarget | undefined {
  try {
    return sealedTarget.parse(JSON.parse(sealer.open(sealed, redeliveryId)));
  } catch {
    return undefined;
  }
}

/** The original body with the present address and signing of the webhook. */
function releaseOf(delivery: Delivery, target: SealedTarget, sealer: Sealer): Release | undefined {
  const request = openRequest(sealer, delivery);
  if (!request) return undefined;
  const { body, link } = request;
  const redirected: SealedRequest = { ...target, body, link };
  return { sealed: sealer.seal(JSON.stringify(redirected), delivery.id), host: hostOf(redirected) };
}
