import { AppError } from '@itsm/shared/base/errors/app-error';
import type { Clock } from '@itsm/shared/base/time/clock';
import { idsOf, isPicture, keyOf, parseKey } from './attachment';
import type { Attachment } from './attachment';
import type { AttachmentRepository, NotedRecord, StoredFile } from './attachment.repository';
import { unusedMilliseconds } from './attachment.service';

/** A file that a note is given. */
export interface GivenAttachment {
  readonly key: string;
  readonly inline: boolean;
  /** Bytes, when the client says them. */
  readonly size: number | undefined;
}

/** The author of a note. */
interface Author {
  readonly accountId: string;
  readonly personId: number;
}

type Taken = { readonly attachments: readonly Attachment[] } | { readonly problem: string };

/** The files of notes: each is in one note. */
export interface NoteFiles {
  /**
   * Takes files that the author has uploaded for a note of the record; takes none when there is a problem. 409 while
   * another note may be written with one of them.
   */
  take(author: Author, given: readonly GivenAttachment[], by: NotedRecord): Promise<Taken>;
  /** The note was not written. */
  giveBack(accountId: string, attachments: readonly Attachment[]): Promise<void>;
}

interface Dependencies {
  readonly files: AttachmentRepository;
  /** Whether a note may still wait in the outbox of the record. */
  readonly isWaiting: (accountId: string, record: NotedRecord) => Promise<boolean>;
  readonly now: Clock;
}

/** A write takes no longer: a process that took a file before that has ended. */
export const writeMilliseconds = 60_000;

const beingWritten = (): AppError =>
  new AppError('conflict', 'A note with one of the files is still being written; try again', {
    headers: { 'Retry-After': '1' },
  });

export function createNoteFiles({ files, isWaiting, now }: Dependencies): NoteFiles {
  const later = (milliseconds: number): Date => new Date(now().getTime() + milliseconds);

  /** Those that can be taken, with what processes had taken that ended before they wrote the note. */
  async function findFree(accountId: string, ids: readonly string[]): Promise<readonly StoredFile[]> {
    const found = await files.findFree(accountId, ids);
    const taken = found.length < ids.length ? await files.findTaken(accountId, ids) : [];
    if (taken.length === 0) return found;
    const recently = later(unusedMilliseconds - writeMilliseconds);
    for (const file of taken) {
      if (file.dueAt > recently || (await isWaiting(accountId, file.takenBy))) throw beingWritten();
      await files.release(accountId, file);
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
        if (!file) return { problem: `has a file that you have not uploaded, or that is in a note already` };
        if (size !== undefined && size !== file.size)
          return { problem: `has a file of ${file.size} bytes, not ${size}` };
        if (inline && !isPicture(file.contentType)) return { problem: 'has an inline file that is no picture' };
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
  };
}
