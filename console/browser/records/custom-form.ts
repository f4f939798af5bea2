import { isFilledIn, shownFields } from '@itsm/shared/declared/form-fields';
import type { FormValues } from '@itsm/shared/declared/form-fields';
import type { InputError } from '../design/input-error';

interface Field {
  readonly id: string;
  readonly type: string;
  readonly label: string;
  readonly required?: boolean;
  readonly help?: string | null;
  readonly options?: readonly (string | { readonly value: string; readonly label?: string })[] | null;
}
type Condition = { readonly field: string; readonly equals: string | boolean } | null;

/** A field of the form of a UI extension. */
export interface FormField extends Field {
  readonly visibleWhen?: Condition | undefined;
}

interface Section<F> {
  readonly name: string;
  readonly fields: readonly F[];
}

/** The form of a UI extension as data. Its HTML and JavaScript never run in the console. */
export type FormDefinition = readonly Section<FormField>[];

/** As its author wrote it. */
interface Written {
  readonly sections?: readonly Section<Field & { readonly visible_when?: Condition }>[];
}

/** The form in a `form_definition`; an extension may have none. */
export function formIn(text: string | null): FormDefinition {
  if (text === null || text.trim() === '') return [];
  const { sections = [] } = JSON.parse(text) as Written;
  return sections.map(({ name, fields }) => ({
    name,
    fields: fields.map(({ visible_when: visibleWhen, ...field }) => ({ ...field, visibleWhen })),
  }));
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
export function shownOf(form: FormDefinition, values: FormValues): FormDefinition {
  const shown = new Set(
    shownFields(
      form.flatMap(({ fields }) => fields),
      values,
    ),
  );
  return form
    .map(({ name, fields }) => ({ name, fields: fields.filter((field) => shown.has(field)) }))
    .filter(({ fields }) => fields.length > 0);
}

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

/** Values with what a person has changed of them; an empty text or null empties one. */
export function withEdits(values: FormValues, edits: readonly CustomField[]): FormValues {
  const next = new Map(values);
  for (const { id, value } of edits)
    if (value === '' || value === null) next.delete(id);
    else next.set(id, value);
  return next;
}

/** The edits after another one. */
export const edited = (edits: readonly CustomField[], id: string, value: string | boolean): readonly CustomField[] => [
  ...edits.filter((edit) => edit.id !== id),
  { id, value },
];

/** What a tab keeps of the edits: all but passwords. */
export function keptOf(form: FormDefinition, edits: readonly CustomField[]): readonly CustomField[] {
  const fields = form.flatMap((section) => section.fields);
  return edits.filter(({ id }) => fields.find((field) => field.id === id)?.type !== 'password');
}

/** A value in words. */
export function valueInForm({ type, options }: FormField, value: unknown): string {
  if (type === 'password') return '••••••••';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const chosen = options?.find((option) => typeof option !== 'string' && option.value === value);
  return typeof chosen === 'object' ? (chosen.label ?? chosen.value) : `${value as string | number}`;
}
