import type { Logger } from '@itsm/shared/observing/logs/logger';
import { MailRefused, waitOfRefused } from '@itsm/shared/outbound/mail/mail';
import type { Post } from '@itsm/shared/outbound/mail/post';
import { createPump } from '@itsm/shared/messages/outbox/pump';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Presence } from '@itsm/shared/stores/presence/presence';
import type { PersonRepository } from '../directory/person.repository';
import { toMail } from './alert';
import type { Alert } from './alert';
import type { AlertRepository } from './alert.repository';

interface Dependencies {
  readonly alerts: AlertRepository;
  readonly people: Pick<PersonRepository, 'find' | 'listAdministrators'>;
  readonly post: Post;
  readonly presence: Presence;
  /** The URL of the profile page, where a person sees and revokes access. */
  readonly profileUrl: string;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Sends mails about a code or refresh token that was used twice (replay). */
export interface AlertService {
  /** Durable once resolved: the mail is sent even if this process dies. */
  raise(alert: Alert): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

const pollMilliseconds = 10_000;
const leaseMilliseconds = 180_000;
const retryMilliseconds = 60_000;

export function createAlertService(dependencies: Dependencies): AlertService {
  const { alerts, people, post, presence, profileUrl, logger, now } = dependencies;
  const later = (milliseconds: number): Date => new Date(now().getTime() + milliseconds);

  async function recipientsOf({ accountId, personId, applicationAccountId }: Alert): Promise<readonly string[]> {
    const [person, administrators] = await Promise.all([
      people.find(accountId, personId),
      people.listAdministrators(applicationAccountId),
    ]);
    return [
      ...new Set(
        [person, ...administrators].flatMap((recipient) => (recipient?.verified ? [recipient.primaryEmail] : [])),
      ),
    ];
  }

  async function send(alert: Alert): Promise<boolean> {
    const { id, accountId, personId, at } = alert;
    try {
      const to = await recipientsOf(alert);
      if (to.length > 0) await post.send(accountId, `person:${personId}`, toMail(alert, to, profileUrl));
    } catch (error) {
      logger.warn('a security alert could not be sent and waits for its next try', { accountId, alertId: id, error });
      const isRefused = error instanceof MailRefused;
      await alerts.postpone(id, later(isRefused ? waitOfRefused(at, now()) : retryMilliseconds));
      // The alerts of others go on.
      return isRefused;
    }
    await alerts.settle(id);
    return true;
  }

  const pump = createPump({
    claim: () => presence.claim(alerts, leaseMilliseconds, now),
    work: send,
    onError: (error) => logger.warn('security alerts could not be read', { error }),
    atOnce: 1,
  });

  presence.onGone(() => pump.nudge());

  return {
    async raise(alert) {
      await alerts.insert(alert);
      pump.nudge();
    },
    start: () => pump.start(pollMilliseconds),
    stop: () => pump.stop(),
  };
}
