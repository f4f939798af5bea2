import { deliveryRequested } from '@itsm/shared/contracts/deliveries';
import type { WebhookStopped } from '@itsm/shared/contracts/deliveries';
import { notFound } from '@itsm/shared/errors/app-error';
import type { Logger } from '@itsm/shared/logs/logger';
import { outboxEntry } from '@itsm/shared/outbox/outbox';
import type { OutboxEntry } from '@itsm/shared/outbox/outbox';
import type { CollectionSource } from '@itsm/shared/rest/collection-source';
import type { Clock } from '@itsm/shared/time/clock';
import type { AuditLine } from '../audits/audit-line';
import type { Addresses } from '../deliveries/addresses';
import type { Account } from '../directories/directory.repository';
import type { DeliveryRequester } from '../deliveries/delivery-request';
import type { Occurrence } from '../deliveries/occurrence';
import { sampleOccurrence } from '../deliveries/sample-occurrence';
import { stopMessage } from '../deliveries/stop-message';
import type { SigningCheck } from '../policies/webhook-signing';
import type { VerificationRequester } from '../verifications/verification-request';
import type { Webhook } from './webhook';
import { stateOf } from './webhook';
import { changedWebhook, disabledWebhook, newWebhook, stopReason } from './webhook-changes';
import type { WebhookChanger } from './webhook-changer';
import type { NewWebhook, WebhookChanges } from './webhook-input';
import type { WebhookRepository } from './webhook.repository';

interface Dependencies {
  readonly webhooks: WebhookRepository;
  readonly change: WebhookChanger;
  readonly checkSigning: SigningCheck;
  readonly requestVerification: VerificationRequester;
  readonly requestDelivery: DeliveryRequester;
  readonly addresses: Addresses;
  readonly findAccount: (accountId: string) => Promise<Account | undefined>;
  /** Has waiting messages sent at once. */
  readonly nudge: () => void;
  readonly logger: Logger;
  readonly now: Clock;
}

type Person = Occurrence['person'];

export interface WebhookService {
  register(accountId: string, input: NewWebhook, person: Person): Promise<Webhook>;
  /** Throws Not Found. */
  find(accountId: string, webhookId: number): Promise<Webhook>;
  peek(accountId: string, webhookId: number): Promise<Webhook | undefined>;
  /** All of the account; or those that are disabled, or that are not. */
  listing(accountId: string, disabled?: boolean): CollectionSource<Webhook>;
  /** What was changed and by whom, oldest first. */
  audit(accountId: string, webhookId: number): Promise<readonly AuditLine[]>;
  update(accountId: string, webhookId: number, changes: WebhookChanges, person: Person): Promise<Webhook>;
  remove(accountId: string, webhookId: number): Promise<void>;
  /** Sends a test delivery; works in every state and changes nothing. */
  sendTest(accountId: string, webhookId: number, person: Person): Promise<void>;
  /** Disables the webhook when `reasonOf` gives a reason; one that no longer exists is left alone. */
  disableWhen(accountId: string, webhookId: number, reasonOf: (webhook: Webhook) => string | undefined): Promise<void>;
}

export function createWebhookService(dependencies: Dependencies): WebhookService {
  const {
    webhooks,
    change,
    checkSigning,
    requestVerification,
    requestDelivery,
    addresses,
    findAccount,
    nudge,
    logger,
    now,
  } = dependencies;

  const stopped = (
    accountId: string,
    webhookId: number,
    reason: WebhookStopped['reason'] | undefined,
    at: Date,
  ): OutboxEntry[] => (reason === undefined ? [] : [stopMessage({ accountId, webhookId, reason }, at)]);

  async function find(accountId: string, webhookId: number): Promise<Webhook> {
    const webhook = await webhooks.find(accountId, webhookId);
    if (!webhook) throw notFound();
    return webhook;
  }

  return {
    find,
    peek: (accountId, webhookId) => webhooks.find(accountId, webhookId),
    listing: (accountId, disabled) => webhooks.listing(accountId, disabled),
    async audit(accountId, webhookId) {
      const lines = await webhooks.findAudit(accountId, webhookId);
      if (!lines) throw notFound();
      return lines;
    },
    async register(accountId, input, person) {
      const id = await webhooks.nextId();
      const uriIsVerified = await webhooks.hasVerifiedUri(accountId, input.uri);
      const at = now();
      const registered = newWebhook({ id, accountId, uriIsVerified }, input, at);
      await checkSigning(registered);
      const { webhook, messages } = await requestVerification(registered, person, at);
      await webhooks.insert(webhook, { messages, person });
      nudge();
      logger.info('webhook registered', { accountId, webhookId: id, event: webhook.event, state: stateOf(webhook) });
      return webhook;
    },
    update: (accountId, webhookId, changes, person) =>
      change(accountId, webhookId, async (current) => {
        const at = now();
        const changed = changedWebhook(current, changes, at);
        await checkSigning(changed, current);
        const { webhook, messages } = await requestVerification(changed, person, at);
        const stops = stopped(accountId, webhookId, stopReason(current, changed), at);
        return { after: webhook, messages: [...stops, ...messages], person };
      }),
    async remove(accountId, webhookId) {
      const at = now();
      const removed = await webhooks.remove(accountId, webhookId, stopped(accountId, webhookId, 'deleted', at), at);
      if (!removed) throw notFound();
      nudge();
      logger.info('webhook deleted', { accountId, webhookId });
    },
    async sendTest(accountId, webhookId, person) {
      const at = now();
      const webhook = await find(accountId, webhookId);
      const account = { id: accountId, name: (await findAccount(accountId))?.name ?? accountId };
      const sample = sampleOccurrence(webhook.event, person, addresses, account);
      const request = await requestDelivery(webhook, sample, at);
      const message = outboxEntry(deliveryRequested, request, request.deliveryId);
      if (!(await webhooks.tell(accountId, webhookId, [message], at))) throw notFound();
      nudge();
    },
    async disableWhen(accountId, webhookId, reasonOf) {
      const known = await webhooks.find(accountId, webhookId);
      if (!known || reasonOf(known) === undefined) return;
      await change(accountId, webhookId, (current) => {
        const reason = reasonOf(current);
        if (reason === undefined) return undefined;
        const at = now();
        logger.info('webhook disabled', { accountId, webhookId, reason });
        return {
          after: disabledWebhook(current, reason, at),
          messages: stopped(accountId, webhookId, 'disabled', at),
          person: null,
          tellDisabled: reason,
        };
      });
    },
  };
}
