import { AppError } from '@itsm/shared/base/errors/app-error';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Attachment } from '../attachments/attachment';
import type { FiledRecord } from '../attachments/attachment.repository';
import type { GivenAttachment, PlacedFiles } from '../attachments/placed-files';
import { filesLabel, filesName } from '../record-types/texts';
import type { RecordFile } from '../store/record-files.repository';
import type { GivenFiles } from './given-files';
import type { GivenNote, ValidationError } from './record.input';
import type { NewNote } from './record-writer';

/** The member of an input that names files. */
interface FilesMember {
  readonly name: string;
  readonly label: string;
}

/** A write with files, of a record. */
interface Work {
  readonly placedFiles: PlacedFiles;
  readonly caller: Caller;
  readonly note: GivenNote | undefined;
  /** Those of texts. */
  readonly files: readonly GivenFiles[];
  readonly record: FiledRecord;
  /** Names the files of the note. */
  readonly member: FilesMember;
}

/** What is written, with the files that were taken for it. */
export interface Filled {
  readonly note: NewNote | undefined;
  readonly added: readonly RecordFile[];
}

type Refused = { readonly errors: readonly ValidationError[] };

/** Writes a note and texts with the files that were taken for them. When it is refused, another write can take them. */
export async function withFiles<T extends object>(
  work: Work,
  write: (filled: Filled) => Promise<T>,
): Promise<T | Refused> {
  const { placedFiles, caller, record } = work;
  const wanted = wantedBy(work);
  if (wanted.length === 0) return write(filledWith([], work));
  const problem = doubled(wanted);
  if (problem) return problem;
  const given = wanted.map(({ attachment }) => attachment);
  const taken = await placedFiles.take(caller, given, record);
  if ('problem' in taken) {
    const { member } = wanted.find(({ attachment }) => attachment.key === taken.key) ?? work;
    return refused(member, taken.problem);
  }
  const { attachments } = taken;
  const giveBack = () => placedFiles.giveBack(caller.accountId, attachments);
  try {
    const outcome = await write(filledWith(attachments, work));
    if ('errors' in outcome) await giveBack();
    return outcome;
  } catch (error) {
    // After any other error nobody knows whether the record was written.
    if (error instanceof AppError) await giveBack();
    throw error;
  }
}

interface Wanted {
  readonly attachment: GivenAttachment;
  readonly member: FilesMember;
}

const wantedBy = ({ note, files, member }: Work): readonly Wanted[] => [
  ...(note?.attachments ?? []).map((attachment) => ({ attachment, member })),
  ...files.flatMap(({ field, added }) =>
    added.map((attachment) => ({ attachment, member: { name: filesName(field), label: filesLabel(field) } })),
  ),
];

/** A file can be in one place only. */
function doubled(wanted: readonly Wanted[]): Refused | undefined {
  const keys = wanted.map(({ attachment }) => attachment.key);
  const second = wanted.find(({ attachment }, index) => keys.indexOf(attachment.key) < index);
  return second && refused(second.member, 'must be different files');
}

const refused = ({ name, label }: FilesMember, problem: string): Refused => ({
  errors: [{ message: `${label} ${problem}`, path: [name] }],
});

function filledWith(attachments: readonly Attachment[], { note, files }: Work): Filled {
  const of = (given: readonly GivenAttachment[]) =>
    attachments.filter(({ key }) => given.some((one) => one.key === key));
  return {
    note: note && { ...note, attachments: of(note.attachments) },
    added: files.flatMap(({ field, added }) => of(added).map((attachment) => ({ ...attachment, field: field.name }))),
  };
}
