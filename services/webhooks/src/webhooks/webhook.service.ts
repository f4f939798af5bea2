import type { WebhookStopped } from '@itsm/shared/contracts/deliveries';
import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { notFound, validationFailed } from '@itsm/shared/base/errors/app-error';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Precondition } from '@itsm/shared/api/http/if-match';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { CollectionSource } from '@itsm/shared/api/rest/collection-source';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { AuditLine } from './audit-line';
import type { Person } from '@itsm/shared/contracts/records';
import { busy, stopMessage } from './change-webhook';
import type { Webhook, WebhookInput } from './webhook';
import { stateOf } from './webhook';
import { changedWebhook, disabledWebhook, newSettings, newWebhook, stopReason } from './webhook-changes';
import type { WebhookChanger } from './change-webhook';
import type { WebhookRepository } from './webhook.repository';

/** Throws a 422 when the named policy cannot sign for the webhook. An unchanged policy is not checked again. */
export type SigningCheck = (after: Webhook, before?: Webhook) => Promise<void>;

/** The webhook with the hash of a new code, and the webhook.verify message with the code. */
export interface RequestedVerification {
  readonly webhook: Webhook;
  readonly messages: readonly OutboxEntry[];
}

/** Requests verification for an unverified webhook; a webhook in any other state is returned unchanged. */
export type VerificationRequester = (
  webhook: Webhook,
  person: Person | null,
  at: Date,
) => Promise<RequestedVerification>;

interface Dependencies {
  readonly webhooks: WebhookRepository;
  readonly change: WebhookChanger;
  readonly checkSigning: SigningCheck;
  readonly requestVerification: VerificationRequester;
  /** Makes the outbox send waiting messages at once. */
  readonly nudge: () => void;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Who changes a webhook, and what has to hold before. */
export interface ChangedBy {
  readonly person: Person | null;
  readonly check?: Precondition<Webhook> | undefined;
}

export interface WebhookService {
  register(accountId: string, input: WebhookInput, person: Person | null): Promise<Webhook>;
  /** Throws Not Found. */
  find(accountId: string, webhookId: number): Promise<Webhook>;
  peek(accountId: string, webhookId: number): Promise<Webhook | undefined>;
  /** Finds a deleted webhook too, as long as its deliveries are kept; throws Not Found. */
  findEvenDeleted(accountId: string, webhookId: number): Promise<Webhook>;
  listing(accountId: string): CollectionSource<Webhook>;
  /** What was changed and by whom, oldest first. */
  audit(accountId: string, webhookId: number): Promise<readonly AuditLine[]>;
  update(accountId: string, webhookId: number, changes: WebhookInput, by: ChangedBy): Promise<Webhook>;
  remove(accountId: string, webhookId: number, check?: Precondition<Webhook>): Promise<Webhook>;
  /** Disables the webhook when `reasonOf` returns a reason; does nothing for a deleted webhook. */
  disableWhen(accountId: string, webhookId: number, reasonOf: (webhook: Webhook) => string | undefined): Promise<void>;
}

/** Per account. An event reads all webhooks that subscribe to it at once. */
export const mostWebhooks = 1_000;

export function createWebhookService(dependencies: Dependencies): WebhookService {
  const { webhooks, change, checkSigning, requestVerification, nudge, logger, now } = dependencies;

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
    async findEvenDeleted(accountId, webhookId) {
      const webhook = await webhooks.findEvenDeleted(accountId, webhookId);
      if (!webhook) throw notFound();
      return webhook;
    },
    listing: (accountId) => webhooks.listing(accountId),
    async audit(accountId, webhookId) {
      const lines = await webhooks.findAudit(accountId, webhookId);
      if (!lines) throw notFound();
      return lines;
    },
    async register(accountId, input, person) {
      if ((await webhooks.listing(accountId).count()) >= mostWebhooks) {
        throw validationFailed([['event', `An account has at most ${mostWebhooks.toLocaleString('en')} webhooks`]]);
      }
      const settings = newSettings(input);
      const id = await webhooks.nextId();
      const uriIsVerified = await webhooks.hasVerifiedUri(accountId, settings.uri);
      const at = now();
      const registered = newWebhook({ id, accountId, uriIsVerified }, settings, at);
      await checkSigning(registered);
      const { webhook, messages } = await requestVerification(registered, person, at);
      await webhooks.insert(webhook, { messages, person });
      nudge();
      logger.info('webhook registered', { accountId, webhookId: id, event: webhook.event, state: stateOf(webhook) });
      return webhook;
    },
    update: (accountId, webhookId, changes, { person, check }) =>
      change(accountId, webhookId, async (current) => {
        const at = now();
        const changed = changedWebhook(current, changes, at);
        await checkSigning(changed, current);
        await check?.(current);
        const { webhook, messages } = await requestVerification(changed, person, at);
        const stops = stopped(accountId, webhookId, stopReason(current, changed), at);
        return { after: webhook, messages: [...stops, ...messages], person };
      }),
    async remove(accountId, webhookId, check) {
      const attempt = async () => {
        const webhook = await find(accountId, webhookId);
        await check?.(webhook);
        const at = now();
        const removed = await webhooks.remove(webhook, stopped(accountId, webhookId, 'deleted', at), at);
        return removed ? webhook : stale;
      };
      const removed = await writeAgain(attempt, { busy });
      nudge();
      logger.info('webhook deleted', { accountId, webhookId });
      return removed;
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
          notifyDisabled: reason,
        };
      });
    },
  };
}
