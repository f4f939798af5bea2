import { holds } from '@itsm/shared/declared/description';
import type { FieldDescription, TypeDescription } from '@itsm/shared/declared/description';
import type { Refusal } from '../api/errors';
import type { InputError } from '../design/input-error';
import { ofNoField } from '../design/input-error';

/** The values of a form by the names of the input; '' is empty, and a list of texts is one a line. */
export type SettingForm = Readonly<Record<string, string | boolean | readonly string[]>>;
type Value = SettingForm[string];

/** A setting that a form has. */
export type Setting = FieldDescription & { readonly input: string };

/** What a new record, or a changed one, has in its form. Records are disabled by an action of their page. */
export const settingsOf = ({ fields }: TypeDescription, isNew: boolean): readonly Setting[] =>
  fields.filter(
    (field): field is Setting =>
      field.input !== undefined &&
      field.name !== 'disabled' &&
      (field.audience === 'staff' || field.group !== undefined) &&
      (field.written === 'always' || field.written === (isNew ? 'on_create' : 'on_change')),
  );

/** The form of a record, or of a new one. */
export function toForm(type: TypeDescription, record?: object | null): SettingForm {
  const values = (record ?? {}) as Readonly<Record<string, unknown>>;
  const all = [...new Set([...settingsOf(type, true), ...settingsOf(type, false)])];
  return Object.fromEntries(
    all
      .filter(({ kind }) => kind !== 'shape')
      .map((field) => [field.input, valueOf(field, record ? values[field.name] : field.default)]),
  );
}

function valueOf({ kind, many }: FieldDescription, value: unknown): Value {
  if (kind === 'flag') return value === true;
  if (kind === 'secret') return '';
  const list = many ? ((value ?? []) as readonly string[]) : [];
  if (many) return kind === 'text' ? list.join('\n') : list;
  if (kind === 'reference') return (value as { readonly id?: string } | null | undefined)?.id ?? '';
  return value === null || value === undefined ? '' : `${value as string | number}`;
}

/** Whether the form shows the setting: what it depends on may say no. */
export const isShown = (type: TypeDescription, { when }: Setting, form: SettingForm): boolean =>
  when === undefined || holds(when, valueAt(type, when.field, form));

const valueAt = (type: TypeDescription, name: string, form: SettingForm): Value | undefined =>
  form[type.fields.find((field) => field.name === name)?.input ?? name];

/** Whether the platform refuses the setting when it is empty. */
export function isNeeded(type: TypeDescription, field: Setting, form: SettingForm, isNew: boolean): boolean {
  const { kind, required, mustBeGiven, needed } = field;
  if (kind === 'flag' || mustBeGiven || (required && !isNew && field.default === undefined)) return true;
  if (kind === 'choice' && required) return true;
  return needed !== undefined && holds(needed, valueAt(type, needed.field, form));
}

/** The lines of a list of texts that have one, with their numbers from 1. */
const linesOf = (text: string): readonly { readonly text: string; readonly line: number }[] =>
  text
    .split('\n')
    .map((line, index) => ({ text: line.trim(), line: index + 1 }))
    .filter((one) => one.text !== '');

/** The input of a mutation. What the form does not show is emptied; `errors` are numbers that are none. */
export function toInput(type: TypeDescription, form: SettingForm, isNew: boolean) {
  const errors: InputError[] = [];
  const input: Record<string, unknown> = {};
  for (const field of settingsOf(type, isNew)) {
    const value = form[field.input];
    if (value === undefined || (field.kind === 'secret' && value === '')) continue;
    const isKept = isShown(type, field, form) || field.kind === 'flag' || (field.required && !field.many);
    input[field.input] = isKept ? given(field, value, errors) : field.many ? [] : null;
  }
  return { input, errors };
}

function given({ input, kind, many, required }: Setting, value: Value, errors: InputError[]): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (many) return linesOf(value).map((one) => one.text);
  // An empty text gets its default, or is refused in the words of the platform.
  if (text === '') return required && kind === 'text' ? '' : null;
  if (kind !== 'integer') return text;
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  errors.push({ path: input, message: `${text} is not a whole number` });
  return null;
}

/** Those of `input` that differ from the input of the form as it was opened. */
export const changesIn = (
  input: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );

/**
 * The platform's refusals by the fields of the form, in their order; that of a text in a list names its line. What is
 * missing is among them: the platform reports it only when everything else is valid.
 */
export function toErrors(type: TypeDescription, refusals: readonly Refusal[], form: SettingForm): InputError[] {
  const fields = settingsOf(type, true);
  const told = refusals.map(({ path, message }) => {
    const [name = ofNoField, index] = path ?? [];
    const field = fields.find(({ input, restInput }) => input === name || restInput === name);
    const lines = field?.many && field.kind === 'text' ? linesOf(String(form[field.input])) : [];
    const at = index === undefined ? undefined : lines[Number(index)];
    return {
      path: field?.input ?? name,
      message: at ? `Line ${at.line}, “${at.text.slice(0, 80)}”: ${message}` : message,
    };
  });
  const missing = fields
    .filter(({ input, needed }) => needed && String(form[input] ?? '').trim() === '')
    .filter(({ needed }) => needed && holds(needed, valueAt(type, needed.field, form)))
    .filter(({ input }) => !told.some(({ path }) => path === input))
    .map(({ input, label, needed }) => ({ path: input, message: `${label} ${needed?.otherwise}` }));
  const order = fields.map(({ input }) => input);
  return [...told, ...missing].sort((one, other) => order.indexOf(one.path) - order.indexOf(other.path));
}

/** The name of a member of REST in a history: `jwt_audience` is "audience"; names and abbreviations keep their letters. */
export function memberWords(type: TypeDescription | undefined, member: string): string {
  const label = type?.fields.find(({ rest, restInput }) => rest === member || restInput === member)?.label;
  if (label === undefined) return member.replaceAll('_', ' ');
  return /^[A-Z][a-z]+( |$)/.test(label) && !/[a-z][A-Z]/.test(label.split(' ', 1)[0] ?? '')
    ? label.charAt(0).toLowerCase() + label.slice(1)
    : label;
}

/** A value in words: "yes", and of a choice its label; null when there is none. */
export function valueWords(
  { kind, words = [], many }: Pick<FieldDescription, 'kind' | 'words' | 'many'>,
  value: unknown,
): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (many) return (value as unknown[]).map((one) => valueWords({ kind, words }, one)).join(', ') || null;
  if (kind === 'flag' || kind === 'secret') return value === true || value === 'true' ? 'yes' : 'no';
  if (typeof value === 'object') return (value as { readonly id?: string }).id ?? null;
  return words.find((word) => word.value === value)?.label ?? `${value as string | number}`;
}

/** The settings of a record that a page does not show by itself, `shown` being those that it does. */
export const otherFacts = (
  type: TypeDescription | undefined,
  record: object,
  shown: readonly string[],
): readonly (readonly [string, string | null])[] =>
  (type?.fields ?? [])
    .filter(({ name, kind, input }) => input !== undefined && kind !== 'shape' && !shown.includes(name))
    .map((field) => [
      field.label,
      valueWords(field, (record as Readonly<Record<string, unknown>>)[field.has ?? field.name]),
    ]);
