import type { ReactNode } from 'react';
import type { FieldDescription } from '@itsm/shared/declared/description';
import { useAccount } from '../frame/account';
import { valueInWords } from './field-words';
import { presentValue } from './values';

/** The value of a described field, with links and times. */
export function FieldValue({
  field,
  value,
}: {
  readonly field: Pick<FieldDescription, 'rest' | 'kind' | 'words'>;
  readonly value: unknown;
}): ReactNode {
  const { account } = useAccount();
  if (field.kind === 'choice' && typeof value === 'string') return valueInWords(field, value);
  return presentValue(field.rest, value, account) ?? <span className="muted">None</span>;
}
