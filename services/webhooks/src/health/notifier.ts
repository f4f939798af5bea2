import type { Logger } from '@itsm/shared/observing/logs/logger';
import { MailRefused } from '@itsm/shared/outbound/mail/mail';
import type { Mail } from '@itsm/shared/outbound/mail/mail';
import { hostInMail, nameInMail } from '@itsm/shared/outbound/mail/name-in-mail';
import type { Post } from '@itsm/shared/outbound/mail/post';
import { createPump } from '@itsm/shared/messages/outbox/pump';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Presence } from '@itsm/shared/stores/presence/presence';
import type { Addresses } from '../webhooks/addresses';
import type { DirectoryRepository } from '../directory/directory.repository';
import type { Webhook } from '../webhooks/webhook';
import { wouldBeDisabledAt } from '../webhooks/webhook';
import type { ClaimedNotice, Notice, NoticeRepository } from '../webhooks/webhook-notice.repository';

interface Dependencies {
  readonly notices: NoticeRepository;
  readonly directory: Pick<DirectoryRepository, 'findAdministratorAddresses'>;
  readonly post: Post;
  readonly presence: Presence;
  readonly addresses: Addresses;
  readonly logger: Logger;
  readonly now: Clock;
  readonly pollMilliseconds: number;
}

/** Sends the mails about webhooks: at most one in 20 minutes for each webhook, and a separate one when it is disabled. */
export interface Notifier {
  nudge(): void;
  start(): void;
  /** Waits for mails that are being sent. */
  stop(): Promise<void>;
}

export const topicOf = (webhookId: number): string => `webhook:${webhookId}`;

const minute = 60_000;
const pauseMilliseconds = 20 * minute;
/**
 * Longer than any conversation with a mail server, so that only a frozen process loses its lease by time. The lease of
 * a dead process is taken over before that.
 */
const leaseMilliseconds = 3 * minute;
const retryMilliseconds = minute;
const mailsAtOnce = 2;

export function createNotifier(dependencies: Dependencies): Notifier {
  const { notices, directory, post, presence, addresses, logger, now, pollMilliseconds } = dependencies;
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
      const isRefused = error instanceof MailRefused;
      await notices.postpone(notice, later(isRefused ? pauseMilliseconds : retryMilliseconds));
      // The mails of others go on: recipients are what an account says.
      return isRefused;
    }
    await notices.settle(notice, later(pauseMilliseconds));
    return true;
  }

  const pump = createPump({
    claim: () => presence.claim(notices, leaseMilliseconds, now),
    work: notify,
    onError: (error) => logger.warn('notices could not be read or settled', { error }),
    atOnce: mailsAtOnce,
  });

  presence.onGone(() => pump.nudge());

  return {
    nudge: () => pump.nudge(),
    start: () => pump.start(pollMilliseconds),
    stop: () => pump.stop(),
  };
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

const show = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The mail to the people responsible for the webhook. It names only the host of the webhook's address. */
function toMail(notice: Notice, to: readonly string[], addresses: Addresses): Mail {
  const { webhook, number } = notice;
  const { id, accountId, event } = webhook;
  const about = [
    `Webhook:  ${shownName(webhook)} (${id})`,
    `Account:  ${accountId}`,
    `Event:    ${event}`,
    // Path and query may be secrets, and many people read mails.
    `Receiver: ${hostInMail(new URL(webhook.uri).host)}`,
    `Record:   ${addresses.accountUrl(accountId)}/webhooks/${id}`,
  ];
  const paragraphs = [...storyOf(notice), about.join('\n'), adviceFor(notice)];
  return { id: `webhook-${id}-${number}`, to, subject: subjectOf(notice), text: `${paragraphs.join('\n\n')}\n` };
}

/** Without a name of its own a webhook has that of its event, which is ours. */
const shownName = ({ name, event }: Webhook): string => (name === event ? name : nameInMail(name));

function subjectOf({ webhook, failures, warning, disabled }: Notice): string {
  const name = shownName(webhook);
  if (disabled !== null) return `Webhook “${name}” was disabled`;
  if (failures === 0) return `Webhook “${name}” is ${warning ?? 0} % of the way to being disabled`;
  const failed = `Webhook “${name}” failed ${times(failures)}`;
  return warning === null ? failed : `${failed}: ${warning} % of the way to being disabled`;
}

function storyOf({ webhook, failures, failingSince, warning, disabled }: Notice): string[] {
  const { lastError, streak } = webhook;
  const error = lastError === null ? [] : [`The last error was: ${lastError}`];
  const since = failingSince === null ? '' : ` since ${show(failingSince)}`;
  if (disabled !== null) return [`The webhook was disabled: ${disabled}.`, ...error];
  const failed = failures > 0 ? [`Calls of the webhook failed ${times(failures)}${since}.`] : [];
  if (streak.count === 0) return [...failed, 'It has worked again since.'];
  const deadline = wouldBeDisabledAt(webhook);
  const rule =
    `${streak.count} calls in a row have failed. A webhook is disabled at 20 consecutive failures over more than a week` +
    (deadline === null ? '.' : `: the failure that counts would come after ${show(deadline)}.`);
  const warned = warning === null ? [] : [`WARNING: the webhook is ${warning} % of the way to being disabled.`];
  return [...failed, ...error, ...warned, rule];
}

const adviceFor = ({ disabled }: Notice): string =>
  disabled === null
    ? 'Failed calls are made again by themselves. One successful call ends the count.'
    : 'Events that happen while it is disabled are kept for 30 days. Once the receiver works, enable the webhook; what was skipped can then be delivered.';
