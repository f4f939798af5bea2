import { traceHeader } from '@itsm/shared/observing/tracing/tracing';
import type { Delivery } from '../deliveries/delivery';
import { destinationOf, lineOf } from '../deliveries/delivery';

/** Why it cannot be made again whatever the webhook is now; undefined when it can. */
export function refusalOf({ state, event }: Delivery): string | undefined {
  if (state === 'pending') return 'The delivery is not finished yet';
  if (state === 'skipped') return 'A skipped delivery is made by redelivering those of its webhook';
  return event === 'webhook.verify' ? 'A verification is sent again by updating the webhook' : undefined;
}

export const addressIsGone = 'The webhook was deleted, or its address was changed, after this delivery';
export const stillUnderWay = 'The delivery was redelivered already, and that is not finished yet';

/** The same occurrence for the same address as a delivery of its own, due at once; nothing else of the origin goes over. */
export function again(origin: Delivery, id: string, sealed: string, now: Date): Delivery {
  const { accountId, webhookId, eventId, event, test, host } = origin;
  return {
    id,
    accountId,
    webhookId,
    eventId,
    event,
    test,
    sealed,
    host,
    origin: origin.id,
    requestedAt: now,
    createdAt: now,
    state: 'pending',
    stoppedBecause: null,
    attempts: [],
    line: lineOf('first', destinationOf(origin)),
    dueAt: now,
    leased: false,
    owner: null,
    fence: 0,
    ...traceHeader(),
  };
}
