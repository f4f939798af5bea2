import { sealedRequest } from '@itsm/shared/contracts/deliveries';
import type { SealedRequest } from '@itsm/shared/contracts/deliveries';
import type { OutboundRequest } from '@itsm/shared/outbound/outbound';
import type { Sealer } from '@itsm/shared/secrets/sealer';
import { attemptNumber } from '../deliveries/delivery';
import type { Delivery } from '../deliveries/delivery';

/** What is to be sent; undefined when no key of the ring opens it. */
export function openRequest(
  sealer: Sealer,
  { id, sealed }: Pick<Delivery, 'id' | 'sealed'>,
): SealedRequest | undefined {
  try {
    return sealedRequest.parse(JSON.parse(sealer.open(sealed, id)));
  } catch {
    return undefined;
  }
}

/** `host:port`; empty when the address has none. */
export const hostOf = (request: SealedRequest | undefined): string =>
  request && URL.canParse(request.uri) ? new URL(request.uri).host : '';

/** The call of one attempt (spec: Webhook delivery). */
export function toOutboundRequest(baseUrl: string, delivery: Delivery, request: SealedRequest): OutboundRequest {
  return {
    method: 'POST',
    url: request.uri,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': `Service/1.0 (${baseUrl.replace(/\/$/, '')}/v1/webhooks)`,
      ...(request.link !== null && { Link: request.link }),
      'X-Service-Delivery': delivery.id,
      'X-Service-Attempt': String(attemptNumber(delivery)),
      ...(delivery.origin !== null && { 'X-Service-Delivery-Origin': delivery.origin }),
    },
    body: request.body,
  };
}
