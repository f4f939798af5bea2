import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Post } from '@itsm/shared/outbound/mail/post';
import { createPump } from '@itsm/shared/messages/outbox/pump';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Addresses } from '../webhooks/addresses';
import type { DirectoryRepository } from '../directory/directory.repository';
import type { Webhook } from '../webhooks/webhook';
import { toMail } from './notice';
import type { ClaimedNotice, NoticeRepository } from '../webhooks/webhook-notice.repository';

interface Dependencies {
  readonly notices: NoticeRepository;
  readonly directory: Pick<DirectoryRepository, 'findAdministratorAddresses'>;
  readonly post: Post;
  readonly addresses: Addresses;
  readonly logger: Logger;
  readonly now: Clock;
  readonly pollMilliseconds: number;
}

/** Sends the mails about webhooks, at most one in 20 minutes for each, and a separate one when it is disabled. */
export interface Notifier {
  nudge(): void;
  start(): void;
  /** Finishes the mails at work. */
  stop(): Promise<void>;
}

export const topicOf = (webhookId: number): string => `webhook:${webhookId}`;

const minute = 60_000;
const pauseMilliseconds = 20 * minute;
/** Longer than any conversation with a mail server, so that only a process that died or froze loses its lease. */
const leaseMilliseconds = 3 * minute;
const retryMilliseconds = minute;
const mailsAtOnce = 2;

export function createNotifier(dependencies: Dependencies): Notifier {
  const { notices, directory, post, addresses, logger, now, pollMilliseconds } = dependencies;
  const later = (milliseconds: number): Date => new Date(now().getTime() + milliseconds);

  async function recipientsOf({ accountId, mailExceptionsTo }: Webhook): Promise<readonly string[]> {
    return mailExceptionsTo?.split(', ') ?? (await directory.findAdministratorAddresses(accountId));
  }

  async function notify(notice: ClaimedNotice): Promise<boolean> {
    const { id: webhookId, accountId } = notice.webhook;
    try {
      const to = await recipientsOf(notice.webhook);
      if (to.length > 0) await post.send(accountId, topicOf(webhookId), toMail(notice, to, addresses));
      else logger.warn('a notice of a failing webhook has no recipients', { accountId, webhookId });
    } catch (error) {
      logger.warn('a mail could not be sent and waits for a retry', { accountId, webhookId, error });
      await notices.postpone(notice, later(retryMilliseconds));
      return false;
    }
    await notices.settle(notice, later(pauseMilliseconds));
    return true;
  }

  const pump = createPump({
    claim: () => notices.claim(now(), later(leaseMilliseconds)),
    work: notify,
    onError: (error) => logger.warn('notices could not be read or settled', { error }),
    atOnce: mailsAtOnce,
  });

  let timer: NodeJS.Timeout | undefined;
  function poll(): void {
    pump.forgive();
    pump.nudge();
    // Jitter keeps replicas that started together from asking together.
    timer = setTimeout(poll, pollMilliseconds * (0.75 + Math.random() / 2));
  }

  return {
    nudge: () => pump.nudge(),
    start: poll,
    async stop() {
      clearTimeout(timer);
      await pump.stop();
    },
  };
}
