import { useState } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { Form, FormActions } from '../design/form';
import { Select } from '../design/select';
import { AskedFields, proposedFor } from './asked-fields';
import { previewInWords, previewOf } from './bulk-change';
import type { BulkChange } from './bulk-change';
import { askedWith } from './editing';
import type { EditableField } from './editing';
import type { ListedRecord } from './list-document';
import { ReferenceBox } from './reference-box';
import type { Referred } from './reference-box';

/** The new value, and what it would do, before anything is sent. */
export function ChangeForm({
  type,
  field,
  records,
  onSend,
  onCancel,
}: {
  readonly type: TypeDescription;
  readonly field: EditableField;
  readonly records: readonly ListedRecord[];
  readonly onSend: (change: BulkChange, records: readonly ListedRecord[]) => void;
  readonly onCancel: () => void;
}): ReactNode {
  const [value, setValue] = useState<unknown>();
  const [more, setMore] = useState<BulkChange['more']>({});
  const asked = askedWith(type, field, value);
  const preview = value === undefined ? undefined : previewOf(type, { field, value }, records);
  const count = preview?.changed.length ?? 0;
  const choose = (next: unknown): void => {
    const asked = askedWith(type, field, next);
    setValue(next);
    setMore(proposedFor(asked));
    // Of one record there is nothing to look over: it is written when it is chosen, as on its page.
    const { changed } = previewOf(type, { field, value: next }, records);
    if (records.length === 1 && changed.length === 1 && next !== undefined && asked.length === 0)
      onSend({ field, value: next, more: {} }, changed);
  };
  const none = { value: '', label: 'None' };
  return (
    <Form onSend={() => count > 0 && onSend({ field, value, more }, preview?.changed ?? [])}>
      {field.kind === 'choice' ? (
        <Select
          label={field.label}
          value={typeof value === 'string' ? value : value === null ? '' : 'choose'}
          onChange={(next) => choose(next === '' ? null : next)}
          options={[
            ...(value === undefined ? [{ value: 'choose', label: 'Choose' }] : []),
            ...(field.required ? [] : [none]),
            ...(field.words ?? []).map((word) => ({ value: word.value, label: word.label })),
          ]}
        />
      ) : (
        <ReferenceBox
          refersTo={field.refersTo ?? ''}
          label={field.label}
          name={`${field.name} of all`}
          autoFocus
          chosen={value as Referred | undefined}
          onChoose={choose}
        />
      )}
      <AskedFields asked={asked} given={more} onChange={setMore} />
      <p className="meta" role="status">
        {preview && previewInWords(preview)}
      </p>
      <FormActions verb={count > 0 ? `Change ${count}` : 'Change'} isPending={false} onCancel={onCancel} />
    </Form>
  );
}
