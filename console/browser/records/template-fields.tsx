import './custom-form.css';
import type { ReactNode } from 'react';
import type { InputError } from '../design/input-error';
import { Select } from '../design/select';
import { messageAt } from '../parts/setting-fields';
import { pathOf } from './custom-form';
import { CustomInputs } from './custom-inputs';
import type { ChosenTemplate } from './use-template';

/** The choice of a form for a new record, and its fields; nothing where the account has no forms for it. */
export function TemplateFields({
  template,
  errors,
  onChange,
}: {
  readonly template: ChosenTemplate;
  readonly errors: readonly InputError[];
  /** With the path of what was changed. */
  readonly onChange: (path: string) => void;
}): ReactNode {
  const { templates, chosen, form, values } = template;
  if (templates.length === 0) return null;
  return (
    <>
      <Select
        label="Form"
        name="template"
        isOptional
        value={chosen}
        onChange={(id) => {
          onChange('template');
          template.choose(id);
        }}
        options={[
          { value: '', label: 'None' },
          ...templates.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        error={messageAt(errors, 'template')}
      />
      <CustomInputs
        form={form}
        values={values}
        errors={errors}
        onChange={(id, value) => {
          onChange(pathOf(id));
          template.change(id, value);
        }}
      />
    </>
  );
}
