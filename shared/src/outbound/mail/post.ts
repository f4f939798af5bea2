import type { Connection } from 'mongoose';
import type { Logger } from '../../observing/logs/logger';
import type { CollectionSource } from '../../api/rest/collection-source';
import type { Clock } from '../../base/time/clock';
import type { Mail } from './mail';
import { createMailbox } from './mailbox';
import type { KeptMail } from './mailbox';
import { createSmtpMailer } from './smtp-mailer';

interface Dependencies {
  /** Undefined: mails are kept and shown, and none is sent. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  readonly connection: Connection;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Where a service hands in its mails. */
export interface Post {
  ensureIndexes(): Promise<void>;
  /**
   * Sends the mail where there is a server, and keeps a copy for the administrators of the account under `topic`.
   * Rejects when the server did not take it; the caller tries again, under the same id.
   */
  send(accountId: string, topic: string, mail: Mail): Promise<void>;
  /** What was sent or kept under `topic` in the last 30 days. */
  listing(accountId: string, topic: string): CollectionSource<KeptMail>;
  close(): void;
}

/** A deployed process warns at its start that no mail will be sent, since nothing else would show it for weeks. */
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
