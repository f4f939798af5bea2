import type { DeliveryRequested, SealedRequest } from '@itsm/shared/contracts/deliveries';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Account } from '../directory/directory.repository';
import { signingOf } from '../policies/webhook-signing';
import { stateOf } from '../webhooks/webhook';
import type { Webhook } from '../webhooks/webhook';
import type { Addresses } from '../webhooks/addresses';
import { deliveryBody } from './delivery-body';
import { deliveryIdOf } from './delivery-id';
import { verifyEvent } from './occurrence';
import type { Occurrence } from './occurrence';

interface Dependencies {
  readonly sealer: Sealer;
  readonly addresses: Addresses;
  readonly findAccount: FindAccount;
}

type FindAccount = (accountId: string) => Promise<Account | undefined>;

/**
 * Makes the message that asks for one delivery; address, body and callback codes are sealed in it. `at`: when the
 * webhook was looked at. `find` is for callers that have the accounts at hand already.
 */
export type DeliveryRequester = (
  webhook: Webhook,
  occurrence: Occurrence,
  at: Date,
  find?: FindAccount,
) => Promise<DeliveryRequested>;

export function createDeliveryRequester({ sealer, addresses, findAccount }: Dependencies): DeliveryRequester {
  return async (webhook, occurrence, at, find = findAccount) => {
    const { id: webhookId, accountId, uri } = webhook;
    const { eventId, event, test } = occurrence;
    const deliveryId = deliveryIdOf(eventId, webhookId);
    const request: SealedRequest = {
      uri,
      body: deliveryBody(webhook, occurrence, await find(accountId), addresses),
      link: addresses.linkHeader(accountId, occurrence.links),
      ...signingOf(webhook),
    };
    const sealed = sealer.seal(JSON.stringify(request), deliveryId);
    const skipped = reasonToSkip(webhook, occurrence);
    const about = { deliveryId, eventId, accountId, webhookId, event, test, at: at.toISOString() };
    return { ...about, ...(skipped && { skipped }), sealed };
  };
}

/** Events of records are kept for a webhook that is not active; tests and requests for proof go out in every state. */
function reasonToSkip(webhook: Webhook, { event, test }: Occurrence): DeliveryRequested['skipped'] {
  const state = stateOf(webhook);
  return test || event === verifyEvent || state === 'active' ? undefined : state;
}
