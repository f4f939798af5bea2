import type { Caller } from '@itsm/shared/api/identity/caller';
import { idIn } from '@itsm/shared/declared/values';
import type { Values } from '@itsm/shared/declared/values';
import type { Field } from '@itsm/shared/declared/language';
import type { Change } from '../record-types/record';
import type { RecordType } from '../record-types/record-type';
import { filesName, textsOf } from '../record-types/texts';
import type { RecordFile, RecordFilesRepository } from '../store/record-files.repository';
import { mostAttachments, refusedFiles } from './given-files';
import type { GivenFiles } from './given-files';
import type { ValidationError } from './record.input';
import { isFilledBy } from './record-rules';

/** The files of a record before and after a write that changes them. */
export interface FilesChange {
  readonly before: readonly RecordFile[];
  readonly after: readonly RecordFile[];
}

/** Refuses files of texts that are not the caller's to fill in. */
export const checkForeignFiles = (
  type: RecordType,
  caller: Caller,
  files: readonly GivenFiles[],
): readonly ValidationError[] =>
  files.flatMap(({ field }) =>
    isFilledBy(type, caller, field) ? [] : [refusedFiles(field, 'are not for you to set')],
  );

/** Custom fields are those of a UI extension: without one there is no text to which a file could belong. */
export function checkExtension(
  { fields }: RecordType,
  values: Values,
  files: readonly GivenFiles[],
): readonly ValidationError[] {
  const reference = fields.find(({ kind }) => kind === 'reference');
  if (!reference || idIn(values, reference.name) !== undefined) return [];
  return files
    .filter(({ field, added }) => field.kind === 'custom' && added.length > 0)
    .map(({ field }) => refusedFiles(field, `need a ${reference.label}`));
}

/** What a write makes of the files of a record. */
interface Planned {
  /** Absent when nothing is added or removed. */
  readonly change?: FilesChange;
  readonly errors: readonly ValidationError[];
}

/** The changes of the files of the records of one type. */
export interface FileChanges {
  /** Without what the texts of the record have already, so that a write can be repeated. */
  unheld(accountId: string, recordId: number, files: readonly GivenFiles[]): Promise<readonly GivenFiles[]>;
  /** Call it after the version was read that the write replaces: so it has the files of that version. */
  plan(
    accountId: string,
    recordId: number,
    files: readonly GivenFiles[],
    taken: readonly RecordFile[],
  ): Promise<Planned>;
}

export function createFileChanges({ plural }: RecordType, recordFiles: RecordFilesRepository): FileChanges {
  const filesOf = async (accountId: string, recordId: number): Promise<readonly RecordFile[]> =>
    (await recordFiles.find(accountId, plural, [recordId])).get(recordId) ?? [];

  return {
    async unheld(accountId, recordId, files) {
      if (files.every(({ added }) => added.length === 0)) return files;
      const held = await filesOf(accountId, recordId);
      return files.map(({ field, added, removed }) => ({
        field,
        added: added.filter(({ key }) => !isHeld(held, field, key)),
        removed,
      }));
    },
    async plan(accountId, recordId, files, taken) {
      if (taken.length === 0 && files.every(({ removed }) => removed.length === 0)) return { errors: [] };
      const before = await filesOf(accountId, recordId);
      const after = [...before.filter((file) => !isRemoved(files, file)), ...taken];
      return { change: { before, after }, errors: files.flatMap((given) => problemsOf(given, { before, after })) };
    },
  };
}

function problemsOf({ field, removed }: GivenFiles, { before, after }: FilesChange): readonly ValidationError[] {
  const isTooMuch = after.filter((file) => file.field === field.name).length > mostAttachments;
  return [
    ...(removed.every((key) => isHeld(before, field, key))
      ? []
      : [refusedFiles(field, 'cannot lose a file that the text does not have')]),
    ...(isTooMuch ? [refusedFiles(field, `would be more than ${mostAttachments} files`)] : []),
  ];
}

const isHeld = (held: readonly RecordFile[], field: Field, key: string): boolean =>
  held.some((file) => file.field === field.name && file.key === key);

const isRemoved = (files: readonly GivenFiles[], file: RecordFile): boolean =>
  files.some(({ field, removed }) => field.name === file.field && removed.includes(file.key));

const without = (files: readonly RecordFile[], others: readonly RecordFile[]): readonly RecordFile[] =>
  files.filter(({ key }) => !others.some((other) => other.key === key));

export const addedBy = ({ before, after }: FilesChange): readonly RecordFile[] => without(after, before);
export const removedBy = ({ before, after }: FilesChange): readonly RecordFile[] => without(before, after);

/** As audit lines have them: of each text the names of the files that it has lost, and of those that it has got. */
export const namedChanges = (type: RecordType, change: FilesChange): readonly Change[] =>
  textsOf(type).flatMap((field) => {
    const [from, to] = [namesOf(removedBy(change), field), namesOf(addedBy(change), field)];
    return from === null && to === null ? [] : [{ field: filesName(field), from, to }];
  });

const namesOf = (files: readonly RecordFile[], { name }: Field): string | null =>
  files
    .filter(({ field }) => field === name)
    .map((file) => file.name)
    .join(', ') || null;
