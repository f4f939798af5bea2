import { AppError } from '@itsm/shared/base/errors/app-error';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { NotedRecord } from '../attachments/attachment.repository';
import type { NoteFiles } from '../attachments/note-files';
import type { GivenNote, ValidationError } from './record.input';
import type { NewNote } from './record-writer';

/** The member of the input that names the files. */
interface FilesMember {
  readonly name: string;
  readonly label: string;
}

/** A note that is given, for a record. */
interface Work {
  readonly noteFiles: NoteFiles;
  readonly caller: Caller;
  readonly note: GivenNote | undefined;
  readonly record: NotedRecord;
  readonly member: FilesMember;
}

/** Writes a note with the files that were taken for it. When it is refused, they can be taken by another one. */
export async function withFiles<T extends object>(
  { noteFiles, caller, note, record, member }: Work,
  write: (note: NewNote | undefined) => Promise<T>,
): Promise<T | { readonly errors: readonly ValidationError[] }> {
  if (!note || note.attachments.length === 0) return write(note && { ...note, attachments: [] });
  const taken = await noteFiles.take(caller, note.attachments, record);
  if ('problem' in taken) return { errors: [{ message: `${member.label} ${taken.problem}`, path: [member.name] }] };
  const { attachments } = taken;
  const giveBack = () => noteFiles.giveBack(caller.accountId, attachments);
  try {
    const outcome = await write({ ...note, attachments });
    if ('errors' in outcome) await giveBack();
    return outcome;
  } catch (error) {
    // After any other error nobody knows whether the note was written.
    if (error instanceof AppError) await giveBack();
    throw error;
  }
}
