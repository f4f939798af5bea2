import type { Values } from '@itsm/shared/declared/values';
import type { SetAside } from '../record-types/life-cycle';
import type { ItsmRecord } from '../record-types/record';
import type { RecordType } from '../record-types/record-type';
import type { Written } from '../store/record-outcome';
import type { RecordRepository } from '../store/record.repository';
import type { Note } from '../store/trail';
import { pairIn } from './made-record';
import { refused } from './record.input';
import type { ValidationError } from './record.input';

/** The result of a mutation: the record after it, or the errors because of which nothing was written. */
export type Outcome =
  | { readonly record: ItsmRecord; readonly note?: Note; readonly isUnchanged?: true }
  | { readonly errors: readonly ValidationError[] };

/** Why a record is not changed. */
export const setAside = ({ state }: SetAside): ValidationError => ({
  message: `The record is ${state === 'archived' ? 'archived' : 'in the trash'}; restore it first`,
  path: [],
});

/** The unique index compares active records; those that are archived or in the trash keep their source too. */
export async function checkSource(
  { repository, type }: { readonly repository: RecordRepository; readonly type: RecordType },
  accountId: string,
  values: Values,
): Promise<ValidationError[]> {
  const pair = pairIn(values);
  const others = pair ? await repository.findBySource(accountId, [pair]) : [];
  return others.some(({ aside }) => aside) ? sourceTaken(type) : [];
}

const sourceTaken = (type: RecordType): ValidationError[] =>
  type.fields.filter(({ name }) => name === 'sourceID').map((field) => refused(field, 'is already in use'));

/** The outcome of a write that is not retried. */
export function outcomeOf(type: RecordType, written: Written | 'unchanged', record: ItsmRecord): Outcome {
  if (written === 'written' || written === 'unchanged') return { record };
  if (written === 'taken') return { errors: sourceTaken(type) };
  return { errors: [{ message: 'Too many changes of the record wait to be published; try again later', path: [] }] };
}
