import { sealedTarget } from '@itsm/shared/contracts/deliveries';
import type {
  DeliveryRequested,
  SealedRequest,
  SealedTarget,
  SkippedRedelivered,
} from '@itsm/shared/contracts/deliveries';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import { hostOf, openRequest } from './sealed-request';
import { toDelivery } from './delivery';
import type { Delivery } from './delivery';

type Skipped = DeliveryRequested & { readonly skipped: NonNullable<DeliveryRequested['skipped']> };

export const isSkipped = (message: DeliveryRequested): message is Skipped => message.skipped !== undefined;

/** A delivery that is kept and not made: its webhook was unverified or disabled when the event happened. */
export function toSkippedDelivery(message: Skipped, sealer: Sealer, now: Date): Delivery {
  const host = hostOf(openRequest(sealer, { id: message.deliveryId, sealed: message.sealed }));
  const delivery = toDelivery(message, host, now, undefined);
  return { ...delivery, state: 'skipped', stoppedBecause: message.skipped, dueAt: null };
}

/** What a skipped delivery becomes when it is to be made after all. */
export type Release = Pick<Delivery, 'sealed' | 'host'>;

/** Where the webhook points now; undefined when no key of the ring opens it. */
export function openTarget(sealer: Sealer, { redeliveryId, sealed }: SkippedRedelivered): SealedTarget | undefined {
  try {
    return sealedTarget.parse(JSON.parse(sealer.open(sealed, redeliveryId)));
  } catch {
    return undefined;
  }
}

/** The text stays what it was; address and signing are those that the webhook has now. */
export function releaseOf(delivery: Delivery, target: SealedTarget, sealer: Sealer): Release | undefined {
  const request = openRequest(sealer, delivery);
  if (!request) return undefined;
  const { body, link } = request;
  const redirected: SealedRequest = { ...target, body, link };
  return { sealed: sealer.seal(JSON.stringify(redirected), delivery.id), host: hostOf(redirected) };
}
