import type { FieldDescription } from '@itsm/shared/declared/description';
import { formatMoment } from '../design/formats';

/** The value in words alone, for messages. */
export function valueInWords({ kind, words = [] }: Pick<FieldDescription, 'kind' | 'words'>, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'None';
  if (Array.isArray(value)) return value.map((one) => valueInWords({ kind, words }, one)).join(', ') || 'None';
  if (typeof value === 'object') {
    const { id, name, subject } = value as Readonly<Record<string, string | number | undefined>>;
    return String(name ?? subject ?? `#${id}`);
  }
  if (kind === 'flag') return value === true ? 'Yes' : 'No';
  if (kind === 'timestamp') return formatMoment(value as string, 'dayAndTime');
  return words.find((word) => word.value === value)?.label ?? `${value as string | number}`;
}
