import { isFilledIn, isShown } from '@itsm/shared/declared/form-fields';
import type { FormValues, ShownWhile } from '@itsm/shared/declared/form-fields';
import type { InputError } from '../design/input-error';

/** A field of the form of a UI extension, as its author wrote it. */
export interface FormField {
  readonly id: string;
  readonly type: string;
  readonly label: string;
  readonly required?: boolean;
  readonly help?: string | null;
  readonly options?: readonly (string | { readonly value: string; readonly label?: string })[] | null;
  readonly visible_when?: ShownWhile | null;
}

interface Section {
  readonly name: string;
  readonly fields: readonly FormField[];
}

/** The form of a UI extension as data. Its HTML and JavaScript never run in the console. */
export type FormDefinition = readonly Section[];

/** The form in a `form_definition`; an extension may have none. */
export function formIn(text: string | null): FormDefinition {
  if (text === null || text.trim() === '') return [];
  const { sections = [] } = JSON.parse(text) as { readonly sections?: FormDefinition };
  return sections;
}

/** A custom field of a record in REST. */
export interface CustomField {
  readonly id: string;
  readonly value: unknown;
}

/** The values of `custom_fields`. */
export const valuesIn = (custom: unknown): FormValues =>
  new Map(((custom ?? []) as readonly CustomField[]).map(({ id, value }) => [id, value]));

/** The sections with the fields that the form shows for these values. */
export const shownOf = (form: FormDefinition, values: FormValues): FormDefinition =>
  form
    .map(({ name, fields }) => ({ name, fields: fields.filter((field) => isShown(field.visible_when, values)) }))
    .filter(({ fields }) => fields.length > 0);

/** The path of a field in refusals of REST. */
export const pathOf = (id: string): string => `custom_fields.${id}`;

/** What must be filled in and is not. */
export const missingIn = (form: FormDefinition, values: FormValues): readonly InputError[] =>
  shownOf(form, values)
    .flatMap(({ fields }) => fields)
    .filter(({ id, required }) => required === true && !isFilledIn(id, values))
    .map(({ id, label }) => ({ path: pathOf(id), message: `“${label}” is required.` }));

/** What is to be written of the fields that are shown; those that were emptied as null. */
export function changesOf(form: FormDefinition, before: FormValues, after: FormValues): readonly CustomField[] {
  const textOf = (value: unknown): string => (value === undefined || value === null ? '' : `${value as string}`);
  return shownOf(form, after)
    .flatMap(({ fields }) => fields)
    .filter(({ id }) => textOf(before.get(id)) !== textOf(after.get(id)))
    .map(({ id }) => ({ id, value: after.get(id) ?? null }));
}

/** The values after one was given; an empty text is none. */
export function withValue(values: FormValues, id: string, value: string | boolean): FormValues {
  const next = new Map(values);
  if (value === '') next.delete(id);
  else next.set(id, value);
  return next;
}

/** What a tab keeps of a form: all but passwords. */
export const keptOf = (form: FormDefinition, values: FormValues): readonly CustomField[] => {
  const hidden = new Set(
    form.flatMap(({ fields }) => fields.filter(({ type }) => type === 'password')).map(({ id }) => id),
  );
  return [...values].filter(([id]) => !hidden.has(id)).map(([id, value]) => ({ id, value }));
};

/** A value in words. */
export function valueInForm({ type, options }: FormField, value: unknown): string {
  if (type === 'password') return '••••••••';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const chosen = options?.find((option) => typeof option !== 'string' && option.value === value);
  return typeof chosen === 'object' ? (chosen.label ?? chosen.value) : `${value as string | number}`;
}
