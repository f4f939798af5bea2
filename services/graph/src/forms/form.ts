import type { ExtensionActivated, FormField } from '@itsm/shared/contracts/ui-extensions';
import type { CustomValue } from '@itsm/shared/declared/values';
import type { TextField } from '@itsm/shared/declared/language';
import { parseMember, parseValue } from '@itsm/shared/declared/read-value';
import type { Parsed } from '@itsm/shared/declared/read-value';
import { writeDay } from '@itsm/shared/base/time/time-text';

/** The form of the active version of a UI extension, as it was announced last. */
export type KnownForm = Omit<ExtensionActivated, 'version'>;

type Text = Pick<TextField, 'kind' | 'maxLength' | 'check'>;

const text = (maxLength: number, check?: TextField['check']): Text => ({
  kind: 'text',
  maxLength,
  ...(check && { check }),
});

const matches =
  (pattern: RegExp, problem: string) =>
  (given: string): string | undefined =>
    pattern.test(given) ? undefined : problem;

/** The fields of which nothing but the text is checked; `password` only hides what people type. */
const texts = {
  text: text(1_000),
  textarea: text(65_535),
  tel: text(128),
  password: text(255),
  email: text(254, matches(/^[^\s@]+@[^\s@]+$/, 'is not an e-mail address')),
  url: text(2_048, (given) => (URL.canParse(given) ? undefined : 'is not a URL')),
  time: text(8, matches(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, 'is not a time such as 13:45')),
} as const;

const mostNamedChoices = 20;

/**
 * Reads a value of a field, as the browsers' controls of its type take it; numbers and truths may be texts. Null and an
 * empty text are no value.
 */
export function readFormValue({ type, label, choices = [] }: FormField, given: unknown): Parsed {
  if (given === null || given === '') return { value: null };
  const named = { name: 'value', label };
  switch (type) {
    case 'number':
      return readNumber(given);
    case 'checkbox':
      return parseMember({ ...named, kind: 'flag' }, '', given);
    case 'date': {
      const parsed = parseMember({ ...named, kind: 'date' }, '', given);
      return 'value' in parsed && parsed.value instanceof Date ? { value: writeDay(parsed.value) } : parsed;
    }
    case 'select':
    case 'radio': {
      const otherwise = choices.length > mostNamedChoices ? { otherwise: 'is not one of its choices' } : {};
      return parseValue({ ...named, kind: 'choice', enumName: '', choices, ...otherwise }, '', given);
    }
    default:
      return parseValue({ ...named, ...texts[type] }, '', given);
  }
}

function readNumber(given: unknown): Parsed {
  const isWritten = typeof given === 'string' && /^-?\d{1,30}(\.\d{1,30})?$/.test(given.trim());
  const value = isWritten ? Number(given) : given;
  // Of zero there is one, as in JSON.
  return typeof value === 'number' && Number.isFinite(value) ? { value: value || 0 } : { problem: 'is not a number' };
}

/** Whether the form has the field, and takes its value as it is. */
export const takes = ({ fields }: Pick<KnownForm, 'fields'>, { id, value }: CustomValue): boolean =>
  fields.some((field) => field.id === id && 'value' in readFormValue(field, value));
