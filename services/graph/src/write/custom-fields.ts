import type { FormField } from '@itsm/shared/contracts/ui-extensions';
import { isFilledIn, shownFields } from '@itsm/shared/declared/form-fields';
import { customIn, idIn } from '@itsm/shared/declared/values';
import type { CustomValue, Values } from '@itsm/shared/declared/values';
import { inputName } from '@itsm/shared/declared/names';
import type { Field } from '@itsm/shared/declared/language';
import { readFormValue, takes } from '../forms/form';
import type { KnownForm } from '../forms/form';
import type { Lookups } from '../read/record-lookups';
import type { RecordType } from '../record-types/record-type';
import { refused } from './record.input';
import type { ValidationError } from './record.input';

interface Checked {
  readonly values: Values;
  readonly errors: readonly ValidationError[];
}

/** All custom fields of a record together, in bytes of JSON: its events and audit lines have them too. */
export const mostCustomBytes = 65_536;

/**
 * The given values with the custom fields that the record has after them, checked by the form of its UI extension:
 * fields that are not named keep their value, and null empties one. Without a change of them nothing is checked, so that
 * a new version of the form stops no other change; nor is it when its members are among `errors`.
 */
export async function withCustomFields(
  lookups: Lookups,
  { fields }: RecordType,
  before: Values | undefined,
  given: Values,
  errors: readonly ValidationError[] = [],
): Promise<Checked> {
  const field = fields.find(({ kind }) => kind === 'custom');
  const reference = fields.find(({ kind }) => kind === 'reference');
  if (!field || !reference) return { values: given, errors: [] };
  const isUnfit = errors.some(({ path: [member] }) => member === inputName(field) || member === inputName(reference));
  if (isUnfit) return { values: given, errors: [] };
  const former = before && idIn(before, reference.name);
  const id = given[reference.name] === undefined ? former : idIn(given, reference.name);
  if (given[field.name] === undefined && id === former) return { values: given, errors: [] };
  const list = customIn(given, field.name);
  if (id === undefined) {
    const missing = list.some(({ value }) => value !== null) ? [refused(field, `need a ${reference.label}`)] : [];
    return { values: { ...given, [field.name]: null }, errors: missing };
  }
  const form = await lookups.forms.load(id);
  // A given one that is unknown is refused as every reference.
  if (!form) return { values: given, errors: id === former ? [refused(field, 'cannot be checked now')] : [] };
  if (form.disabled && id !== former) return { values: given, errors: [refused(reference, 'is disabled')] };
  const isEmptied = given[field.name] === null;
  const had = before && !isEmptied ? customIn(before, field.name) : [];
  // With another form a record keeps the values that it takes.
  const kept = id === former ? had : had.filter((one) => takes(form, one));
  const { values, errors: found } = merged(field, form, new Map(kept.map((one) => [one.id, one.value])), list);
  const all = [...values]
    .map(([one, value]) => ({ id: one, value }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const bytes = Buffer.byteLength(JSON.stringify(all));
  const tooMany =
    bytes > mostCustomBytes ? [refused(field, `are longer than ${mostCustomBytes / 1_024} KB together`)] : [];
  return { values: { ...given, [field.name]: all.length > 0 ? all : null }, errors: [...found, ...tooMany] };
}

function merged(
  custom: Field,
  { fields }: KnownForm,
  values: Map<string, unknown>,
  given: readonly CustomValue[],
): { readonly values: ReadonlyMap<string, unknown>; readonly errors: readonly ValidationError[] } {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const errors: ValidationError[] = [];
  const seen = new Set<string>();
  for (const { id, value } of given) {
    const parsed = readOne(byId.get(id), values.get(id), value);
    const problem = seen.has(id) ? 'is given twice' : 'problem' in parsed ? parsed.problem : undefined;
    seen.add(id);
    if (problem !== undefined) errors.push(refusedOf(custom, id, byId.get(id), problem));
    else if ('value' in parsed && parsed.value !== null) values.set(id, parsed.value);
    else values.delete(id);
  }
  const missing = shownFields(fields, values)
    .filter(({ id, required }) => required && !isFilledIn(id, values))
    .filter(({ id }) => !errors.some(({ path }) => path[1] === id))
    .map((field) => refusedOf(custom, field.id, field, 'is required'));
  return { values, errors: [...errors, ...missing] };
}

/** A value of a field that the form no longer has may stay as it is, or be emptied. */
function readOne(
  field: FormField | undefined,
  former: unknown,
  value: unknown,
): { readonly value: unknown } | { readonly problem: string } {
  if (field) return readFormValue(field, value);
  // Emptying what is not there changes nothing; files have columns for fields of several forms.
  if (value === null || value === former) return { value };
  return { problem: former === undefined ? 'is not a field of the form' : 'is no longer a field of the form' };
}

const shownLength = 80;

const refusedOf = (custom: Field, id: string, field: FormField | undefined, problem: string): ValidationError => ({
  message: `${field?.label.trim().slice(0, shownLength) || id.slice(0, shownLength)} ${problem}`,
  path: [custom.name, id],
});
