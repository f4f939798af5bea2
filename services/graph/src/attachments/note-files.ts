import type { Clock } from '@itsm/shared/base/time/clock';
import { idsOf, isPicture, keyOf, parseKey } from './attachment';
import type { Attachment } from './attachment';
import type { AttachmentRepository, NotedRecord } from './attachment.repository';
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
  /** Takes files that the author has uploaded for a note of the record; takes none when there is a problem. */
  take(author: Author, given: readonly GivenAttachment[], by: NotedRecord): Promise<Taken>;
  /** The note was not written. */
  giveBack(accountId: string, attachments: readonly Attachment[]): Promise<void>;
}

export function createNoteFiles(files: AttachmentRepository, now: Clock): NoteFiles {
  return {
    async take({ accountId, personId }, given, by) {
      const keys = given.map(({ key }) => parseKey(key));
      const own = keys.flatMap((key) => (key?.accountId === accountId && key.personId === personId ? key.id : []));
      const found = own.length === 0 ? [] : await files.findFree(accountId, own);
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
      const dueAt = new Date(now().getTime() + unusedMilliseconds);
      if (await files.take(accountId, ids, by, dueAt)) return { attachments };
      return { problem: 'has a file that is in a note already' };
    },
    giveBack: (accountId, attachments) => files.giveBack(accountId, idsOf(attachments)),
  };
}
