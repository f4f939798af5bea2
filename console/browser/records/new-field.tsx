import type { ReactNode } from 'react';
import { Checkbox, TextField } from '../design/field';
import { Select } from '../design/select';
import type { EditableField } from './editing';
import { lookOf } from './field-editor';
import { ReferenceBox } from './reference-box';
import type { Referred } from './reference-box';

/** A value of a form: a text, a truth, or a record; '' is empty. */
export type Given = string | boolean | Referred;

/** The control of a field in the form of a new record, by its kind. */
export function NewField({
  field,
  value,
  onChange,
  error,
  isOptional,
}: {
  readonly field: EditableField;
  readonly value: Given;
  readonly onChange: (value: Given) => void;
  readonly error: string | undefined;
  readonly isOptional: boolean;
}): ReactNode {
  const text = typeof value === 'string' ? value : '';
  const control = { label: field.label, name: field.name, error, isOptional };
  if (field.refersTo !== undefined)
    return (
      <ReferenceBox
        {...control}
        refersTo={field.refersTo}
        chosen={typeof value === 'object' ? value : undefined}
        onChoose={(record) => onChange(record ?? '')}
        help={field.help}
      />
    );
  if (field.kind === 'flag')
    return (
      <Checkbox name={field.name} isSelected={value === true} onChange={onChange} error={error} note={field.help}>
        {field.label}
      </Checkbox>
    );
  if (field.kind === 'choice')
    return (
      <Select
        {...control}
        value={text}
        onChange={onChange}
        options={[
          { value: '', label: field.required ? 'Default' : 'None' },
          ...(field.words ?? []).map((word) => ({ value: word.value, label: word.label })),
        ]}
      />
    );
  return <TextField {...control} value={text} onChange={onChange} {...lookOf(field)} />;
}
