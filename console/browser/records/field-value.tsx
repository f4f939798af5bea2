import type { ReactNode } from 'react';
import type { FieldDescription } from '@itsm/shared/declared/description';
import { formatMoment } from '../design/formats';
import { useAccount } from '../frame/account';
import { presentValue } from './values';

type Shown = Pick<FieldDescription, 'rest' | 'kind' | 'words'>;

/** The value of a described field, with links and times. */
export function FieldValue({ field, value }: { readonly field: Shown; readonly value: unknown }): ReactNode {
  const { account } = useAccount();
  if (field.kind === 'choice' && typeof value === 'string') return valueInWords(field, value);
  return presentValue(field.rest, value, account) ?? <span className="muted">None</span>;
}

/** The value in words alone, for messages. */
export function valueInWords({ kind, words = [] }: Shown, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'None';
  if (typeof value === 'object') {
    const { id, name, subject } = value as Readonly<Record<string, string | number | undefined>>;
    return String(name ?? subject ?? `#${id}`);
  }
  if (kind === 'flag') return value === true ? 'Yes' : 'No';
  if (kind === 'timestamp') return formatMoment(value as string, 'dayAndTime');
  return words.find((word) => word.value === value)?.label ?? `${value as string | number}`;
}
