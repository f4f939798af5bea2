import { Lock, Mail } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../design/button';
import { TextField } from '../design/field';
import { Form } from '../design/form';

/** A text for each of the records. Nothing is preset: each button says who will read it. */
export function BulkNoteForm({
  mayBeInternal,
  nouns,
  onSend,
  onCancel,
}: {
  readonly mayBeInternal: boolean;
  readonly nouns: string;
  readonly onSend: (text: string, internal: boolean) => void;
  readonly onCancel: () => void;
}): ReactNode {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const send = (internal: boolean): void =>
    text.trim() === '' ? setError('Write a text first.') : onSend(text.trim(), internal);
  return (
    <Form onSend={() => setError(text.trim() === '' ? 'Write a text first.' : 'Choose by a button who will read it.')}>
      <TextField
        label="Note"
        name="note of all"
        rows={5}
        value={text}
        onChange={(next) => {
          setText(next);
          setError(undefined);
        }}
        error={error}
        autoFocus
      />
      <div className="form-actions">
        <Button onPress={() => send(false)}>
          <Mail aria-hidden size={16} strokeWidth={1.75} />
          Send to all who see {nouns}
        </Button>
        {mayBeInternal && (
          <Button onPress={() => send(true)}>
            <Lock aria-hidden size={16} strokeWidth={1.75} />
            Add for colleagues only
          </Button>
        )}
        <Button kind="plain" onPress={onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
