import type { Module, Platform } from '@itsm/shared/running/module';
import { createSmtpMailer } from '@itsm/shared/outbound/mail/smtp-mailer';
import type { Presence } from '@itsm/shared/stores/presence/presence';
import type { Directory } from '../directory/module';
import type { Notices } from '../notices/module';
import type { RecordType } from '../record-types/record-type';
import type { Store } from '../store/module';
import { createNoticeMailer } from './notice-mailer';

/** The settings of mails. */
export interface MailSettings {
  /** Undefined: no mail is sent. */
  readonly smtpUrl?: string | undefined;
  readonly mailFrom?: string;
  readonly mailPollMilliseconds?: number | undefined;
}

interface Needs {
  readonly types: readonly RecordType[];
  readonly directory: Directory;
  readonly store: Store;
  readonly notices: Notices;
  readonly presence: Presence;
  readonly settings: MailSettings;
}

/** Mails about notices. */
export function createMails(
  { baseUrl, logger, now }: Platform,
  { types, directory, store, notices: { notices, turns }, presence, settings }: Needs,
): Module {
  const { smtpUrl, mailFrom = 'service@localhost', mailPollMilliseconds: pollMilliseconds = 10_000 } = settings;
  if (smtpUrl === undefined) return {};
  const { repositoryOf, trails } = store;
  const mailer = createSmtpMailer({ url: smtpUrl, from: mailFrom });
  const noticeMailer = createNoticeMailer({
    types,
    directory: directory.store,
    notices,
    turns,
    repositoryOf,
    trails,
    mailer,
    presence,
    baseUrl,
    logger,
    now,
    pollMilliseconds,
  });
  return { runners: [noticeMailer] };
}
