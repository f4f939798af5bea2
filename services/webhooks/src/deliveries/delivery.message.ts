import type { DeliveryRequested, SealedRequest } from '@itsm/shared/contracts/deliveries';
import { derivedUuid } from '@itsm/shared/base/ids/derived-uuid';
import type { Sealer } from '@itsm/shared/base/secrets/sealer';
import type { Account } from '../directory/directory.repository';
import { signingOf } from '../policies/webhook-signing';
import { stateOf } from '../webhooks/webhook';
import type { Webhook } from '../webhooks/webhook';
import type { Addresses } from '../webhooks/addresses';
import { verifyEvent } from './occurrence';
import type { Occurrence } from './occurrence';

interface Dependencies {
  readonly sealer: Sealer;
  readonly addresses: Addresses;
  readonly findAccount: FindAccount;
}

type FindAccount = (accountId: string) => Promise<Account | undefined>;

/**
 * Makes the `DeliveryRequested` message for one delivery; address, body and callback codes are sealed in it. `at`: when
 * the webhook was read. `find`: accounts that the caller has read already.
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
    const { eventId, event, test, object } = occurrence;
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
    const record = event === verifyEvent ? {} : { objectId: object.id };
    return { ...about, ...record, ...(skipped && { skipped }), sealed };
  };
}

/** Record events are skipped, and kept, while the webhook is not active. Tests and verifications go out in every state. */
function reasonToSkip(webhook: Webhook, { event, test }: Occurrence): DeliveryRequested['skipped'] {
  const state = stateOf(webhook);
  return test || event === verifyEvent || state === 'active' ? undefined : state;
}

/** Deterministic per event and webhook: a redelivered message requests the same delivery (idempotent). */
export const deliveryIdOf = (eventId: string, webhookId: number): string => derivedUuid(eventId, webhookId);

/**
 * The JSON body that is posted (spec: Webhook delivery body), with members in the order of that table. The person
 * members are null for a system event.
 */
export function deliveryBody(
  webhook: Pick<Webhook, 'id' | 'accountId' | 'name'> & Partial<Webhook>,
  { event, object, person, payload }: Occurrence,
  account: Pick<Account, 'customUrl'> | undefined,
  addresses: Addresses,
): string {
  return JSON.stringify({
    webhook_id: webhook.id,
    webhook_nodeID: addresses.nodeIdOf('Webhook', webhook.id),
    account_id: webhook.accountId,
    account: addresses.accountUrl(webhook.accountId),
    ...(account?.customUrl && { custom_url: account.customUrl }),
    name: webhook.name,
    event,
    object_id: object.id,
    object_nodeID: object.nodeID,
    ...(webhook.openidConnectDiscovery && { openid_connect_discovery: true }),
    person_id: person?.id ?? null,
    person_nodeID: person?.nodeID ?? null,
    person_name: person?.name ?? null,
    payload,
  });
}
