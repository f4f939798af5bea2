import { AppError, notFound } from '@itsm/shared/base/errors/app-error';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Person } from '@itsm/shared/contracts/records';
import type { WebhookChanger } from '../webhooks/change-webhook';
import type { Webhook } from '../webhooks/webhook';
import { stopMessage } from '../webhooks/change-webhook';
import { mayResend, proves, verifiedWebhook } from './verification';
import { verifyEvent } from '../deliveries/occurrence';
import type { VerificationRequester } from '../webhooks/webhook.service';

interface Dependencies {
  readonly change: WebhookChanger;
  readonly requestVerification: VerificationRequester;
  readonly logger: Logger;
  readonly now: Clock;
}

export interface VerificationService {
  /** Verifies the address with the code. A wrong, used, expired or foreign code is a 404 and changes nothing. */
  verify(accountId: string, webhookId: number, code: string): Promise<Webhook>;
  /** Sends webhook.verify again with a new code; the old one stops being valid. */
  resend(accountId: string, webhookId: number, person: Person | null): Promise<void>;
}

export function createVerificationService(dependencies: Dependencies): VerificationService {
  const { change, requestVerification, logger, now } = dependencies;
  return {
    async verify(accountId, webhookId, code) {
      const webhook = await change(accountId, webhookId, (current) => {
        const at = now();
        if (!proves(current, code, at)) throw notFound();
        const done = stopMessage({ accountId, webhookId, reason: 'verified', event: verifyEvent }, at);
        return { after: verifiedWebhook(current, at), messages: [done], person: null };
      });
      logger.info('webhook verified', { accountId, webhookId });
      return webhook;
    },
    async resend(accountId, webhookId, person) {
      await change(accountId, webhookId, async (current) => {
        const at = now();
        if (!mayResend(current, at))
          throw new AppError('conflict', 'Only within 24 hours after the uri was given, and while it is unverified');
        const { webhook, messages } = await requestVerification(current, person, at);
        return { after: webhook, messages, person };
      });
    },
  };
}
