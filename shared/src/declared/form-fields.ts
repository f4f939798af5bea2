/** What is filled in of a form, by the ids of its fields. */
export type FormValues = ReadonlyMap<string, unknown>;

/** A field is shown only while another one has this value. */
export interface ShownWhile {
  readonly field: string;
  readonly equals: string | boolean;
}

/** Whether a form shows a field: what is not filled in is an empty text, or an unchecked box. */
export function isShown(condition: ShownWhile | null | undefined, values: FormValues): boolean {
  if (!condition) return true;
  const { field, equals } = condition;
  const value = values.get(field) ?? (typeof equals === 'boolean' ? false : '');
  // The form has numbers as texts.
  return (typeof value === 'number' ? String(value) : value) === equals;
}

/** Whether a required field is filled in; a box must be checked. */
export const isFilledIn = (id: string, values: FormValues): boolean => values.has(id) && values.get(id) !== false;
