import type { ReactNode } from 'react';
import type { FieldDescription } from '@itsm/shared/declared/description';
import { useAccount } from '../frame/account';
import { valueInWords } from './field-words';
import type { NoteFile } from './note-parts';
import { NoteText } from './note-text';
import { presentValue } from './values';

/** The value of a described field, with links and times; of a text also its files. */
export function FieldValue({
  field,
  value,
  files = [],
}: {
  readonly field: Pick<FieldDescription, 'rest' | 'kind' | 'words'>;
  readonly value: unknown;
  readonly files?: readonly NoteFile[];
}): ReactNode {
  const { account } = useAccount();
  if (files.length > 0) return <NoteText text={typeof value === 'string' ? value : ''} files={files} />;
  if (field.kind === 'choice' && typeof value === 'string') return valueInWords(field, value);
  return presentValue(field.rest, value, account) ?? <span className="muted">None</span>;
}
