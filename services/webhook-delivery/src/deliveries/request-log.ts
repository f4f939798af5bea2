import { maskUri } from '@itsm/shared/outbound/calls/mask-uri';
import type { SealedRequest } from '@itsm/shared/contracts/deliveries';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import { isOfAttempt, openRequest } from './sealed-request';
import type { ToOutboundRequest } from './sealed-request';
import type { Delivery } from './delivery';

/** The sent request with secrets masked. */
export interface SentRequest {
  readonly method: string;
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether each attempt sent `body` inside a JWT. */
  readonly signed: boolean;
  readonly body: unknown;
}

/** Decrypts the requests of deliveries for display; undefined or null when no key of the ring opens them. */
export interface RequestLog {
  open(delivery: Delivery): SealedRequest | undefined;
  asSent(delivery: Delivery): SentRequest | null;
}

const mask = '***';

export function createRequestLog(sealer: Sealer, toOutboundRequest: ToOutboundRequest): RequestLog {
  const open = (delivery: Delivery) => openRequest(sealer, delivery);
  return {
    open,
    asSent(delivery) {
      const request = open(delivery);
      if (!request) return null;
      const { method, headers } = toOutboundRequest(delivery, request);
      const shown = Object.entries(headers).filter(([name]) => !isOfAttempt(name));
      const credentials = hasCredentials(request.uri) ? { Authorization: `Basic ${mask}` } : {};
      return {
        method,
        uri: maskUri(request.uri),
        headers: { ...Object.fromEntries(shown), ...credentials },
        signed: request.signing !== undefined,
        body: withoutCode(request.body),
      };
    },
  };
}

function hasCredentials(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { username, password } = new URL(uri);
  return username !== '' || password !== '';
}

/** Masks the code of a callback: it proves ownership of the address, so readers of the log must not get it. */
function withoutCode(text: string): unknown {
  const body = JSON.parse(text) as { payload?: { callback?: unknown } };
  const callback = body.payload?.callback;
  return typeof callback === 'string' ? { ...body, payload: { ...body.payload, callback: maskUri(callback) } } : body;
}
