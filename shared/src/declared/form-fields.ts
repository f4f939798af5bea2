/** What is filled in of a form, by the ids of its fields. */
export type FormValues = ReadonlyMap<string, unknown>;

/** A field of a form, as far as it depends on others whether it is shown: only while another one has this value. */
interface Conditional {
  readonly id: string;
  readonly visibleWhen?: { readonly field: string; readonly equals: string | boolean } | null | undefined;
}

/** The fields that a form shows for these values: those whose condition holds, and whose other field is shown itself. */
export function shownFields<F extends Conditional>(fields: readonly F[], values: FormValues): readonly F[] {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const known = new Map<string, boolean>();
  function isShown(field: F): boolean {
    const before = known.get(field.id);
    if (before !== undefined) return before;
    // Fields that depend on each other are shown by their values alone.
    known.set(field.id, true);
    const other = field.visibleWhen && byId.get(field.visibleWhen.field);
    const shown = holds(field, values) && (!other || isShown(other));
    known.set(field.id, shown);
    return shown;
  }
  return fields.filter(isShown);
}

/** What is not filled in is an empty text, or an unchecked box. */
function holds({ visibleWhen }: Conditional, values: FormValues): boolean {
  if (!visibleWhen) return true;
  const { field, equals } = visibleWhen;
  const value = values.get(field) ?? (typeof equals === 'boolean' ? false : '');
  // The form has numbers as texts.
  return (typeof value === 'number' ? String(value) : value) === equals;
}

/** Whether a required field is filled in; a box must be checked. */
export const isFilledIn = (id: string, values: FormValues): boolean => values.has(id) && values.get(id) !== false;
