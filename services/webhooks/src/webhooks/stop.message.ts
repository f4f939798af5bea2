import { webhookStopped } from '@itsm/shared/contracts/deliveries';
import type { WebhookStopped } from '@itsm/shared/contracts/deliveries';
import { outboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';

/** Gives up what was requested before `at`; what the same change requests has the same `at` and goes out. */
export const stopMessage = (stopped: Omit<WebhookStopped, 'at'>, at: Date): OutboxEntry =>
  outboxEntry(webhookStopped, { ...stopped, at: at.toISOString() });
