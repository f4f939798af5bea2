import type { Connection } from 'mongoose';
import type { Logger } from '../../observing/logs/logger';
import type { CollectionSource } from '../../api/rest/collection-source';
import type { Clock } from '../../base/time/clock';
import type { Mail } from './mail';
import { createMailbox } from './mailbox';
import type { KeptMail } from './mailbox';
import { createSmtpMailer } from './smtp-mailer';

interface Dependencies {
  /** Undefined: mails are stored and shown, but not sent. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  readonly connection: Connection;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Sends and archives the mails of a service. */
export interface Post {
  ensureIndexes(): Promise<void>;
  /**
   * Sends the mail if there is a server, and stores a copy under `topic` for the account's administrators. Rejects when
   * the server refused it; retry with the same id.
   */
  send(accountId: string, topic: string, mail: Mail): Promise<void>;
  /** Mails under `topic` in the last 30 days. */
  listing(accountId: string, topic: string): CollectionSource<KeptMail>;
  close(): void;
}

/** Warns at the start that no mail will be sent, since nobody would notice for weeks. */
export function warnWithoutMailServer(smtpUrl: string | undefined, logger: Logger): void {
  if (smtpUrl === undefined) logger.warn('there is no mail server (SMTP_URL): mails are kept, and none is sent');
}

export function createPost({ smtpUrl, mailFrom, connection, logger, now }: Dependencies): Post {
  const mailer = smtpUrl === undefined ? undefined : createSmtpMailer({ url: smtpUrl, from: mailFrom });
  const mailbox = createMailbox(connection);
  return {
    ensureIndexes: () => mailbox.ensureIndexes(),
    async send(accountId, topic, mail) {
      const { id, to, subject } = mail;
      const text = withoutSecret(mail);
      await mailer?.send(mail);
      const at = now();
      await mailbox.keep({ id, to, subject, text, accountId, topic, createdAt: at, sentAt: mailer ? at : null });
      const about = { accountId, topic, mailId: id, subject };
      if (mailer) logger.info('mail sent', { ...about, recipients: to.length });
      else logger.info('mail kept, because there is no mail server', { ...about, to, text });
    },
    listing: (accountId, topic) => mailbox.listing(accountId, topic),
    close: () => mailer?.close(),
  };
}

const withoutSecret = ({ text, secret }: Mail): string => (secret ? text.replaceAll(secret, '…') : text);
