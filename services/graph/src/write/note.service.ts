import { forbidden } from '@itsm/shared/base/errors/app-error';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { parseText } from '@itsm/shared/declared/read-value';
import type { ValidationError } from './record.input';
import { noteMaxLength } from './record.input';
import type { RecordType } from '../record-types/record-type';
import type { RecordService } from './record.service';
import type { Note } from '../store/trail';

type Outcome = { readonly note: Note } | { readonly errors: readonly ValidationError[] };

export interface NoteService {
  /**
   * Adds a note to a record that the caller sees; "Not Found" for any other, "Forbidden" for callers with read access
   * only.
   */
  add(accountId: string, caller: Caller, typeName: RecordType['name'], id: number, text: string): Promise<Outcome>;
}

export const createNoteService = (serviceOf: (typeName: RecordType['name']) => RecordService): NoteService => ({
  async add(accountId, caller, typeName, id, text) {
    if (caller.roles.every((role) => role === 'auditor')) throw forbidden();
    const parsed = parseText(noteMaxLength, text);
    if ('problem' in parsed) return { errors: [{ message: `Text ${parsed.problem}`, path: ['text'] }] };
    if (parsed.value === null) return { errors: [{ message: 'Text is required', path: ['text'] }] };
    const outcome = await serviceOf(typeName).addNote(accountId, caller, id, String(parsed.value));
    if ('errors' in outcome) return outcome;
    if (!outcome.note) throw new Error('A note was written and is not there');
    return { note: outcome.note };
  },
});
