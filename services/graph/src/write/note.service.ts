import { forbidden } from '@itsm/shared/base/errors/app-error';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { parseText } from '@itsm/shared/declared/read-value';
import { readAttachments } from './given-files';
import type { ValidationError } from './record.input';
import { noteMaxLength } from './record.input';
import { maySetInternal } from './record-rules';
import type { RecordType } from '../record-types/record-type';
import type { RecordService } from './record.service';
import type { Note } from '../store/trail';

type Outcome = { readonly note: Note } | { readonly errors: readonly ValidationError[] };

interface Given {
  readonly text: string;
  readonly internal: boolean;
  /** Unread. */
  readonly attachments: unknown;
}

export interface NoteService {
  /**
   * Adds a note to a record that the caller sees; "Not Found" for any other, "Forbidden" for callers with read access
   * only.
   */
  add(caller: Caller, typeName: RecordType['name'], id: number, given: Given): Promise<Outcome>;
}

export const createNoteService = (serviceOf: (typeName: RecordType['name']) => RecordService): NoteService => ({
  async add(caller, typeName, id, { text, internal, attachments: given }) {
    if (caller.roles.every((role) => role === 'auditor')) throw forbidden();
    const parsed = parseText(noteMaxLength, text);
    const { attachments, problem } = readAttachments(given);
    const problems: ValidationError[] = [
      ...('problem' in parsed ? [{ message: `Text ${parsed.problem}`, path: ['text'] }] : []),
      ...('value' in parsed && parsed.value === null ? [{ message: 'Text is required', path: ['text'] }] : []),
      ...(internal && !maySetInternal(caller)
        ? [{ message: 'Internal is not for you to set', path: ['internal'] }]
        : []),
      ...(problem === undefined ? [] : [{ message: `Attachments ${problem}`, path: ['attachments'] }]),
    ];
    if (problems.length > 0 || 'problem' in parsed) return { errors: problems };
    const note = { text: parsed.value ?? '', internal, attachments };
    const outcome = await serviceOf(typeName).addNote(caller.accountId, caller, id, note);
    if ('errors' in outcome) return outcome;
    if (!outcome.note) throw new Error('A note was written and is not there');
    return { note: outcome.note };
  },
});
