import { deliveryRequested } from '@itsm/shared/contracts/deliveries';
import type { RecordKinds } from '@itsm/shared/contracts/record-kinds';
import type { Person } from '@itsm/shared/contracts/records';
import { notFound } from '@itsm/shared/base/errors/app-error';
import { outboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Account } from '../directory/directory.repository';
import type { Addresses } from '../webhooks/addresses';
import type { WebhookRepository } from '../webhooks/webhook.repository';
import type { WebhookService } from '../webhooks/webhook.service';
import type { DeliveryRequester } from './delivery.message';
import { sampleOccurrence } from './occurrence';

interface Dependencies {
  readonly webhooks: Pick<WebhookService, 'find'>;
  readonly store: Pick<WebhookRepository, 'publish'>;
  readonly requestDelivery: DeliveryRequester;
  readonly addresses: Addresses;
  readonly kinds: RecordKinds;
  readonly findAccount: (accountId: string) => Promise<Account | undefined>;
  /** Makes the outbox send waiting messages at once. */
  readonly nudge: () => void;
  readonly now: Clock;
}

/** Requests a test delivery, in every state of the webhook. Changes nothing; a 404 for an unknown webhook. */
export type TestSender = (accountId: string, webhookId: number, person: Person | null) => Promise<void>;

export function createTestSender(dependencies: Dependencies): TestSender {
  const { webhooks, store, requestDelivery, addresses, kinds, findAccount, nudge, now } = dependencies;
  return async (accountId, webhookId, person) => {
    const at = now();
    const webhook = await webhooks.find(accountId, webhookId);
    const account = { id: accountId, name: (await findAccount(accountId))?.name ?? accountId };
    const sample = sampleOccurrence(webhook.event, person, addresses, account, kinds);
    const request = await requestDelivery(webhook, sample, at);
    const message = outboxEntry(deliveryRequested, request, request.deliveryId);
    if (!(await store.publish(accountId, webhookId, [message], at))) throw notFound();
    nudge();
  };
}
