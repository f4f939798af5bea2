import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { AppError, notFound } from '@itsm/shared/base/errors/app-error';
import type { Clock } from '@itsm/shared/base/time/clock';
import { webhookStopped } from '@itsm/shared/contracts/deliveries';
import type { WebhookStopped } from '@itsm/shared/contracts/deliveries';
import { outboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { Webhook } from './webhook';
import type { Accompaniment, WebhookRepository } from './webhook.repository';

interface Dependencies {
  readonly webhooks: WebhookRepository;
  /** Makes the outbox send the messages at once. */
  readonly nudge: () => void;
  readonly now: Clock;
}

/** A decided change: the webhook after it, its author, and the messages that announce it. */
export interface Change extends Accompaniment {
  readonly after: Webhook;
}

type Decision = (current: Webhook) => Promise<Change | undefined> | Change | undefined;

/**
 * Optimistic concurrency: reads, decides and writes. After a concurrent change it reads and decides again, so that of
 * several exclusive changes exactly one wins. An undefined decision leaves the webhook unchanged.
 */
export type WebhookChanger = (accountId: string, webhookId: number, decide: Decision) => Promise<Webhook>;

export function createWebhookChanger({ webhooks, nudge, now }: Dependencies): WebhookChanger {
  return (accountId, webhookId, decide) => {
    const attempt = async () => {
      const current = await webhooks.find(accountId, webhookId);
      if (!current) throw notFound();
      const change = await decide(current);
      if (!change) return current;
      const written = await webhooks.replace(current, change.after, change, now());
      if (!written) return stale;
      if (change.messages.length > 0) nudge();
      return written;
    };
    return writeAgain(attempt, { busy });
  };
}

export const busy = (): never => {
  throw new AppError('conflict', 'The webhook is being changed by others at the same time');
};

/** Stops deliveries requested before `at`. Deliveries that the same change requests have the same `at`, so they go out. */
export const stopMessage = (stopped: Omit<WebhookStopped, 'at'>, at: Date): OutboxEntry =>
  outboxEntry(webhookStopped, { ...stopped, at: at.toISOString() });
