import { createPost } from '@itsm/shared/outbound/mail/post';
import type { Post } from '@itsm/shared/outbound/mail/post';
import type { MessagingPlatform, Module } from '@itsm/shared/running/module';
import { createMailOrderRepository } from './mail-order.repository';
import { createMailQueue } from './mail-queue';
import type { MailQueue } from './mail-queue';

interface Settings {
  /** Undefined: no mail is sent, and mails are only stored for reading. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
}

interface Needs {
  readonly settings: Settings;
}

export interface Mails extends Module {
  readonly queue: MailQueue;
  readonly post: Post;
  /** Whether there is a mail server. */
  readonly areSent: boolean;
}

export function createMails({ connection, presence, logger, now }: MessagingPlatform, { settings }: Needs): Mails {
  const { smtpUrl, mailFrom } = settings;
  const post = createPost({ smtpUrl, mailFrom, connection, logger, now });
  return {
    queue: createMailQueue({ orders: createMailOrderRepository(connection), presence, logger, now }),
    post,
    areSent: smtpUrl !== undefined,
    stores: [post],
    runners: [{ stop: () => post.close() }],
  };
}
