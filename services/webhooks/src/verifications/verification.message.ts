import { randomUUID } from 'node:crypto';
import { deliveryRequested } from '@itsm/shared/contracts/deliveries';
import { outboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import { verifyEvent } from '../deliveries/occurrence';
import type { VerificationRequester } from '../webhooks/webhook.service';
import type { Addresses } from '../webhooks/addresses';
import type { DeliveryRequester } from '../deliveries/delivery.message';
import type { Webhook } from '../webhooks/webhook';
import { stateOf } from '../webhooks/webhook';
import { stopMessage } from '../webhooks/change-webhook';
import { beginVerification } from './verification';

interface Dependencies {
  readonly requestDelivery: DeliveryRequester;
  readonly addresses: Addresses;
}

export function createVerificationRequester({ requestDelivery, addresses }: Dependencies): VerificationRequester {
  return async (webhook, person, at) => {
    if (stateOf(webhook) !== 'unverified') return { webhook, messages: [] };
    const { id, accountId } = webhook;
    const { code, verification } = beginVerification(at);
    const occurrence = {
      eventId: `verify:${randomUUID()}`,
      event: verifyEvent,
      object: { id, nodeID: addresses.nodeIdOf('Webhook', id) },
      person,
      payload: { callback: addresses.callbackUrl(accountId, id, code, verification.expiresAt) },
      links: { canonical: `/webhooks/${id}`, resource: `/v1/webhooks/${id}` },
      test: false,
    };
    const request = await requestDelivery(webhook, occurrence, at);
    return {
      webhook: { ...webhook, verification },
      messages: [
        ...(webhook.createdAt < at ? [olderAreDead(webhook, at)] : []),
        outboxEntry(deliveryRequested, request, request.deliveryId),
      ],
    };
  };
}

/** Stops pending deliveries of webhook.verify, because their older codes are no longer valid. */
const olderAreDead = ({ accountId, id: webhookId }: Webhook, at: Date): OutboxEntry =>
  stopMessage({ accountId, webhookId, reason: 'verification_replaced', event: verifyEvent }, at);
