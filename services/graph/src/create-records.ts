import type { Module, Platform } from '@itsm/shared/running/module';
import type { Presence } from '@itsm/shared/stores/presence/presence';
import { createApi } from './api/module';
import { createAttachments } from './attachments/module';
import type { Attachments, AttachmentSettings } from './attachments/module';
import { idsOf } from './attachments/attachment';
import type { FileHolders } from './attachments/placed-files';
import type { Directory } from './directory/module';
import type { Forms } from './forms/module';
import { createKept } from './kept/module';
import { createMails } from './mails/module';
import type { MailSettings } from './mails/module';
import { createNotices } from './notices/module';
import type { Notices } from './notices/module';
import { createReading } from './read/module';
import type { Reading } from './read/module';
import { recordTypes } from './record-types/all';
import type { RecordType } from './record-types/record-type';
import { createStore } from './store/module';
import type { Store } from './store/module';
import { createWriting } from './write/module';
import type { Writing } from './write/module';

/** What is set of attachments and mails; without it there are none. */
export type RecordSettings = AttachmentSettings & MailSettings;

interface Needs {
  readonly directory: Directory;
  readonly forms: Forms;
  /** The presence of this process, under which it leases work. */
  readonly presence: Presence;
  /** Triggers the relay of the collection's outbox at once. */
  readonly nudge: (collection: string) => void;
  readonly config?: RecordSettings;
  /** All declared types by default. */
  readonly types?: readonly RecordType[] | undefined;
}

/** The record engine, set up for `types`. */
export interface Records {
  readonly types: readonly RecordType[];
  readonly store: Store;
  readonly reading: Reading;
  readonly notices: Notices;
  readonly mails: Module;
  readonly attachments: Attachments;
  readonly writing: Writing;
  /** Writing as at a time of the past, without events: for demo data. */
  readonly writingAt: (time: Date) => Writing;
  readonly kept: Module;
  readonly api: Module;
}

export function createRecords(platform: Platform, needs: Needs): Records {
  const { directory, forms, presence, nudge, config: settings = {}, types = recordTypes } = needs;
  const store = createStore(platform, { types, presence });
  const reading = createReading({ directory, forms, store });
  const areMailed = settings.smtpUrl !== undefined;
  const notices = createNotices(platform, { types, directory, sequence: store.sequence, areMailed });
  const mails = createMails(platform, { types, directory, store, notices, presence, settings });
  const kept = createKept(platform, { types, readerOf: reading.readerOf, sequence: store.sequence });
  const attachments = createAttachments(platform, {
    settings,
    holders: createFileHolders(types, store),
  });
  const { placedFiles, addressOf } = attachments;
  const ofWriting = { types, store, reading, placedFiles, nudge };
  const writing = createWriting(platform, ofWriting);
  const writingAt = (time: Date): Writing =>
    createWriting({ ...platform, now: () => time }, { ...ofWriting, silent: true });
  const api = createApi(platform, { types, store, reading, writing, notices, directory, addressOf });
  return { types, store, reading, notices, mails, attachments, writing, writingAt, kept, api };
}

const createFileHolders = (types: readonly RecordType[], { trails, recordFiles }: Store): FileHolders => {
  const pluralOf = (recordType: string) => types.find(({ name }) => name === recordType)?.plural;
  return {
    async isWaiting(accountId, { recordType, recordId }) {
      const plural = pluralOf(recordType);
      return plural !== undefined && trails.isWaiting(accountId, plural, recordId);
    },
    async isInText(accountId, { recordType, recordId }, fileId) {
      const plural = pluralOf(recordType);
      const files = plural === undefined ? undefined : await recordFiles.find(accountId, plural, [recordId]);
      return idsOf(files?.get(recordId) ?? []).includes(fileId);
    },
  };
};
