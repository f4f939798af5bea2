import { AppError } from '@itsm/shared/base/errors/app-error';
import type { Clock } from '@itsm/shared/base/time/clock';
import { idsOf, isPicture, keyOf, parseKey } from './attachment';
import type { Attachment } from './attachment';
import type { AttachmentRepository, FiledRecord, StoredFile } from './attachment.repository';
import { unusedMilliseconds } from './attachment.service';

/** A file that a note or a text is given. */
export interface GivenAttachment {
  readonly key: string;
  readonly inline: boolean;
  /** Bytes, when the client says them. */
  readonly size: number | undefined;
}

/** Whose write it is. */
interface Author {
  readonly accountId: string;
  readonly personId: number;
}

/** Names the file with the problem by its key. */
type Taken = { readonly attachments: readonly Attachment[] } | { readonly problem: string; readonly key: string };

type Attachments = readonly Pick<Attachment, 'key'>[];

/** The files of notes and of texts of records: each is in one place. */
export interface PlacedFiles {
  /**
   * Takes files that the author has uploaded for a write of the record; takes none when there is a problem. 409 while
   * another write with one of them may be under way.
   */
  take(author: Author, given: readonly GivenAttachment[], by: FiledRecord): Promise<Taken>;
  /** The record was not written. */
  giveBack(accountId: string, attachments: Attachments): Promise<void>;
  /** Texts of the record are about to lose these. Before the write, so that a process that ends after it loses none. */
  watch(accountId: string, attachments: Attachments, by: FiledRecord): Promise<void>;
  /** Texts of the record have some more, and others no longer. */
  settle(accountId: string, by: FiledRecord, added: Attachments, removed: Attachments): Promise<void>;
}

/** Knows the records that may have files. */
export interface FileHolders {
  /** Whether a note may still wait in the outbox of the record. */
  isWaiting(accountId: string, record: FiledRecord): Promise<boolean>;
  /** Whether a text of the record has the file. */
  isInText(accountId: string, record: FiledRecord, fileId: string): Promise<boolean>;
}

interface Dependencies {
  readonly files: AttachmentRepository;
  readonly holders: FileHolders;
  readonly now: Clock;
}

/** A write takes no longer: a process that took a file before that has ended. */
export const writeMilliseconds = 60_000;

const beingWritten = (): AppError =>
  new AppError('conflict', 'Another write with one of the files is not finished yet; try again', {
    headers: { 'Retry-After': '1' },
  });

export function createPlacedFiles({ files, holders, now }: Dependencies): PlacedFiles {
  const later = (milliseconds: number): Date => new Date(now().getTime() + milliseconds);

  /** Those that can be taken, with what processes had taken that ended before they wrote the record. */
  async function findFree(accountId: string, ids: readonly string[]): Promise<readonly StoredFile[]> {
    const found = await files.findFree(accountId, ids);
    const taken = found.length < ids.length ? await files.findTaken(accountId, ids) : [];
    if (taken.length === 0) return found;
    const recently = later(unusedMilliseconds - writeMilliseconds);
    for (const file of taken) {
      if (file.dueAt > recently || (await holders.isWaiting(accountId, file.takenBy))) throw beingWritten();
      if (await holders.isInText(accountId, file.takenBy, file.id)) await files.keepInText(accountId, [file.id]);
      else await files.release(accountId, file);
    }
    return files.findFree(accountId, ids);
  }

  return {
    async take({ accountId, personId }, given, by) {
      const keys = given.map(({ key }) => parseKey(key));
      const own = keys.flatMap((key) => (key?.accountId === accountId && key.personId === personId ? key.id : []));
      const found = own.length === 0 ? [] : await findFree(accountId, own);
      const attachments: Attachment[] = [];
      for (const { key, inline, size } of given) {
        const file = found.find(({ id, name }) => keyOf(id, name) === key);
        if (!file) return { problem: 'has a file that you have not uploaded, or that is in use already', key };
        if (size !== undefined && size !== file.size)
          return { problem: `has a file of ${file.size} bytes, not ${size}`, key };
        if (inline && !isPicture(file.contentType)) return { problem: 'has an inline file that is no picture', key };
        attachments.push({
          key,
          name: file.name,
          size: file.size,
          contentType: file.contentType,
          inline,
          secret: file.secret,
        });
      }
      const ids = found.map(({ id }) => id);
      if (!(await files.take(accountId, ids, by, later(unusedMilliseconds)))) throw beingWritten();
      return { attachments };
    },
    giveBack: (accountId, attachments) => files.giveBack(accountId, idsOf(attachments)),
    async watch(accountId, attachments, by) {
      if (attachments.length > 0) await files.watch(accountId, idsOf(attachments), by, later(unusedMilliseconds));
    },
    async settle(accountId, by, added, removed) {
      if (added.length > 0) await files.keepInText(accountId, idsOf(added));
      // A backup of the storage that was made today has what a backup of the records names that is a little older.
      if (removed.length > 0) await files.leaveText(accountId, idsOf(removed), by, later(unusedMilliseconds));
    },
  };
}
