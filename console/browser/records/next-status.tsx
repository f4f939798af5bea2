import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { Select } from '../design/select';
import { AskedFields, proposedFor } from './asked-fields';
import type { Asked } from './asked-fields';
import type { RecordChange } from './change';
import { askedWith, isEditable } from './editing';
import { allowedWords } from '../parts/taking-over';
import type { EditableField } from './editing';
import { valueInWords } from './field-words';
import type { RestRecord } from './values';

/** A status that is to come, with what it asks for. */
interface Next {
  readonly status: string;
  readonly asked: Asked;
}

const statusOf = (type: TypeDescription): EditableField | undefined =>
  type.fields.find((field): field is EditableField => field.name === 'status' && isEditable(field));

/** The change to a status; undefined when the record can no longer have it next. */
export function statusChange(type: TypeDescription, record: RestRecord, next: Next): RecordChange | undefined {
  const field = statusOf(type);
  const now = record['status'];
  if (!field || next.status === now || !allowedWords(type, field, now).some(({ value }) => value === next.status))
    return undefined;
  return { body: { [field.restInput]: next.status, ...next.asked }, fields: [field.rest] };
}

/** A status in words. */
export function statusWord(type: TypeDescription | undefined, status: string): string {
  const field = type && statusOf(type);
  return field ? valueInWords(field, status) : status;
}

/** Chooses the status that comes with a note; the present one unless another is chosen. */
export function NextStatus({
  type,
  record,
  next,
  onChange,
  error,
}: {
  readonly type: TypeDescription;
  readonly record: RestRecord;
  readonly next: Next | undefined;
  readonly onChange: (next: Next | undefined) => void;
  readonly error: string | undefined;
}): ReactNode {
  const field = statusOf(type);
  if (!field) return null;
  const now = record['status'];
  const others = allowedWords(type, field, now).filter(({ value }) => value !== now);
  const chosen = next && others.some(({ value }) => value === next.status) ? next : undefined;
  const asked = chosen ? askedWith(type, field, chosen.status) : [];
  return (
    <>
      <Select
        label="Then"
        name="next status"
        value={chosen?.status ?? ''}
        onChange={(status) =>
          onChange(status === '' ? undefined : { status, asked: proposedFor(askedWith(type, field, status)) })
        }
        options={[
          { value: '', label: `Leave it ${valueInWords(field, now)}` },
          ...others.map(({ value, label }) => ({ value, label })),
        ]}
        error={error}
      />
      {chosen && (
        <AskedFields asked={asked} given={chosen.asked} onChange={(given) => onChange({ ...chosen, asked: given })} />
      )}
    </>
  );
}
