import type { ChoiceField, Field, FlagField } from '@itsm/shared/declared/language';
import type { RecordType } from './record-type';

/** A field with few values, all of them known. */
export type Choice = ChoiceField | FlagField;

export const isChoice = (field: Field): field is Choice => field.kind === 'choice' || field.kind === 'flag';

/** All values that a choice can have; null for an empty one. */
export const valuesOf = (choice: Choice): readonly (string | boolean | null)[] => [
  ...(choice.required ? [] : [null]),
  ...(choice.kind === 'flag' ? [false, true] : choice.choices),
];

/** The choices that clients filter by, in the order of their index: those that they can also order by are last. */
export function choicesOf(type: RecordType): readonly Choice[] {
  const choices = type.fields.filter(isChoice).filter(({ filterable }) => filterable);
  return [...choices.filter(({ sortable }) => !sortable), ...choices.filter(({ sortable }) => sortable)];
}

/** Choices that every record has, those that clients order by first: they follow a reference in its index. */
export const choicesOfReferences = (type: RecordType): readonly Choice[] =>
  choicesOf(type)
    .filter(({ kind, required }) => kind === 'choice' && required)
    .reverse();
