import { sealedRequest } from '@itsm/shared/contracts/deliveries';
import type { SealedRequest } from '@itsm/shared/contracts/deliveries';
import type { OutboundRequest } from '@itsm/shared/outbound/calls/outbound';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import { attemptNumber } from './delivery';
import type { Delivery } from './delivery';

/** Decrypts the request of a delivery; undefined when no key of the ring opens it. */
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

interface CallSettings {
  readonly baseUrl: string;
  /** Prefixes that replace `X-Service` in header aliases. */
  readonly deliveryHeaderAliases: readonly string[];
}

/** Makes the HTTP request of one attempt (spec: Webhook delivery). */
export type ToOutboundRequest = (delivery: Delivery, request: SealedRequest) => OutboundRequest;

export const createOutboundRequests =
  ({ baseUrl, deliveryHeaderAliases }: CallSettings): ToOutboundRequest =>
  (delivery, request) => ({
    method: 'POST',
    url: request.uri,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      // Only the status counts.
      Accept: '*/*',
      'User-Agent': `Service/1.0 (${baseUrl}/docs/v1/webhooks)`,
      ...(request.link !== null && { Link: request.link }),
      ...Object.fromEntries(['X-Service', ...deliveryHeaderAliases].flatMap((prefix) => factsOf(prefix, delivery))),
    },
    body: request.body,
  });

const factsOf = (prefix: string, delivery: Delivery): [name: string, value: string][] => [
  [`${prefix}-Delivery`, delivery.id],
  [`${prefix}-Attempt`, String(attemptNumber(delivery))],
  ...(delivery.origin === null ? [] : [[`${prefix}-Delivery-Origin`, delivery.origin] satisfies [string, string]]),
];

/** Whether the header's value differs from attempt to attempt. */
export const isOfAttempt = (name: string): boolean => name.endsWith('-Attempt');
