import type { ReactNode } from 'react';
import { Select } from '../design/select';
import type { EditableField } from './editing';

/** Values of fields, by their names in bodies of REST. */
export type Asked = Readonly<Record<string, unknown>>;

/** What is proposed for the fields that a status asks for: the first value of each. */
export const proposedFor = (asked: readonly EditableField[]): Asked =>
  Object.fromEntries(asked.map(({ restInput, words = [] }) => [restInput, words[0]?.value ?? null]));

/** The choices that a status asks for. */
export function AskedFields({
  asked,
  given,
  onChange,
}: {
  readonly asked: readonly EditableField[];
  readonly given: Asked;
  readonly onChange: (given: Asked) => void;
}): ReactNode {
  return asked.map(({ name, label, restInput, words = [] }) => (
    <Select
      key={name}
      label={label}
      value={String(given[restInput])}
      onChange={(value) => onChange({ ...given, [restInput]: value })}
      options={words.map((word) => ({ value: word.value, label: word.label }))}
    />
  ));
}
