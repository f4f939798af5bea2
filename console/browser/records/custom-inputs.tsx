import type { ReactNode } from 'react';
import type { FormValues } from '@itsm/shared/declared/form-fields';
import { Checkbox, TextField } from '../design/field';
import type { InputError } from '../design/input-error';
import { Select } from '../design/select';
import { messageAt } from '../parts/setting-fields';
import { pathOf, shownOf } from './custom-form';
import type { FormDefinition, FormField } from './custom-form';

/** The fields of a form that are shown for its values, in their sections. */
export function CustomInputs({
  form,
  values,
  onChange,
  errors,
}: {
  readonly form: FormDefinition;
  readonly values: FormValues;
  readonly onChange: (id: string, value: string | boolean) => void;
  readonly errors: readonly InputError[];
}): ReactNode {
  return shownOf(form, values).map(({ name, fields }) => (
    // Two sections may have the same name, but no two fields the same id.
    <fieldset key={fields[0]?.id} className="custom-section">
      <legend>{name}</legend>
      <div className="form">
        {fields.map((field) => (
          <Input
            key={field.id}
            field={field}
            value={values.get(field.id)}
            onChange={(value) => onChange(field.id, value)}
            error={messageAt(errors, pathOf(field.id))}
          />
        ))}
      </div>
    </fieldset>
  ));
}

type TextLook = Pick<Parameters<typeof TextField>[0], 'type' | 'rows' | 'inputMode'>;

/** How the text field of a type looks; others are plain. */
const looks: Readonly<Record<string, TextLook>> = {
  textarea: { rows: 4 },
  number: { inputMode: 'decimal' },
  date: { type: 'date' },
  time: { type: 'time' },
  email: { type: 'email' },
  tel: { type: 'tel' },
  url: { type: 'url' },
  password: { type: 'password' },
};

function Input({
  field,
  value,
  onChange,
  error,
}: {
  readonly field: FormField;
  readonly value: unknown;
  readonly onChange: (value: string | boolean) => void;
  readonly error: string | undefined;
}): ReactNode {
  const { id, type, label, required = false, help, options } = field;
  const text = value === undefined || value === null ? '' : `${value as string | number}`;
  const control = { label, name: pathOf(id), error, isOptional: !required, help: help ?? undefined };
  if (type === 'checkbox')
    return (
      <Checkbox name={control.name} isSelected={value === true} onChange={onChange} error={error} note={control.help}>
        {label}
      </Checkbox>
    );
  if (type === 'select' || type === 'radio')
    return (
      <Select
        {...control}
        value={text}
        onChange={onChange}
        options={[
          { value: '', label: 'None' },
          ...(options ?? []).map((option) =>
            typeof option === 'string'
              ? { value: option, label: option }
              : { value: option.value, label: option.label ?? option.value },
          ),
        ]}
      />
    );
  return <TextField {...control} value={text} onChange={onChange} {...looks[type]} />;
}
