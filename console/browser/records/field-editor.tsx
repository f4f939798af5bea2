import { useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Button } from '../design/button';
import { TextField } from '../design/field';
import { Form, FormActions } from '../design/form';
import { fromField, toField } from '../design/formats';
import type { EditableField } from './editing';
import { ReferenceBox } from './reference-box';

interface Properties {
  readonly field: EditableField;
  readonly value: unknown;
  /** The new value; a reference with its name. */
  readonly onSave: (value: unknown) => void;
  readonly onCancel: () => void;
}

/** Edits one field in its place; Esc leaves it as it was. */
export function FieldEditor(properties: Properties): ReactNode {
  const { field, value, onSave, onCancel } = properties;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const isOpen = (event.target as HTMLElement).getAttribute('aria-expanded') === 'true';
    if (event.key === 'Escape' && !isOpen) onCancel();
  };
  return (
    <div className="fact-editor" onKeyDownCapture={onKeyDown}>
      {field.refersTo === undefined ? (
        <TextEditor {...properties} />
      ) : (
        <>
          <ReferenceBox
            refersTo={field.refersTo}
            label={field.label}
            name={`${field.name} editor`}
            autoFocus
            // Emptied by its button: the box is empty, too, while another name is typed.
            onChoose={(record) => record && onSave(record)}
          />
          <div className="form-actions">
            {value !== null && !field.required && <Button onPress={() => onSave(null)}>Leave empty</Button>}
            <Button onPress={onCancel}>Cancel</Button>
          </div>
        </>
      )}
    </div>
  );
}

const types = { date: 'date', timestamp: 'datetime-local' } as const;

type Look = Pick<Parameters<typeof TextField>[0], 'type' | 'help' | 'inputMode' | 'rows'>;

/** How the text field of a field looks. */
export const lookOf = ({ kind, help, lines }: EditableField): Look => ({
  type: kind === 'date' || kind === 'timestamp' ? types[kind] : 'text',
  help,
  inputMode: kind === 'integer' ? 'numeric' : undefined,
  rows: lines === 'many' ? 4 : undefined,
});

/** The text in the field for a value, as `parsed` reads it. */
const textOf = ({ kind }: EditableField, value: unknown): string => {
  if (value === null || value === undefined) return '';
  return kind === 'timestamp' ? toField(new Date(value as string)) : `${value as string | number}`;
};

/** The value that a text in the field of its kind stands for. */
export function parsed(
  { kind, label }: EditableField,
  text: string,
): { readonly value: unknown } | { readonly wrong: string } {
  if (text.trim() === '') return { value: null };
  if (kind === 'timestamp') {
    const moment = fromField(text);
    return moment ? { value: moment.toISOString() } : { wrong: `${label} is not a date and time.` };
  }
  if (kind !== 'integer') return { value: text.trim() };
  return /^-?\d{1,9}$/.test(text.trim()) ? { value: Number(text) } : { wrong: `${label} must be a whole number.` };
}

function TextEditor({ field, value, onSave, onCancel }: Properties): ReactNode {
  const [text, setText] = useState(textOf(field, value));
  const [wrong, setWrong] = useState<string>();
  const save = (): void => {
    const result = parsed(field, text);
    if ('wrong' in result) setWrong(result.wrong);
    else onSave(result.value);
  };
  return (
    <Form onSend={save}>
      <TextField
        label={field.label}
        name={`${field.name} editor`}
        value={text}
        onChange={setText}
        error={wrong}
        autoFocus
        {...lookOf(field)}
      />
      <FormActions verb="Save" isPending={false} onCancel={onCancel} />
    </Form>
  );
}
