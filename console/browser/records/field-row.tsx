import { Pencil } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { explain, failureOf } from '../api/errors';
import { Button, IconButton } from '../design/button';
import { fieldId } from '../design/field';
import { Form, FormActions } from '../design/form';
import { Select } from '../design/select';
import { showToast } from '../design/toast';
import { AskedFields, proposedFor } from './asked-fields';
import type { Asked } from './asked-fields';
import { inBody } from './change';
import type { KnownRecord, Outcome, RecordChange } from './change';
import { askedWith } from './editing';
import { allowedWords } from '../parts/taking-over';
import type { EditableField } from './editing';
import { FieldEditor } from './field-editor';
import { FieldValue } from './field-value';
import { valueInWords } from './field-words';
import { filesOf } from './note-parts';

type Send = (base: KnownRecord, change: RecordChange) => Promise<Outcome>;

type State =
  | { readonly kind: 'shown' | 'edited' }
  /** A value was chosen with which other fields are asked for. */
  | { readonly kind: 'asks'; readonly value: unknown; readonly asked: readonly EditableField[] }
  | { readonly kind: 'saving'; readonly value: unknown }
  | {
      readonly kind: 'refused';
      readonly value: unknown;
      readonly more: Asked;
      readonly message: string;
      readonly mayRetry: boolean;
    }
  /** Somebody else has changed the field since: both values, and the record as it is now. */
  | { readonly kind: 'differs'; readonly value: unknown; readonly more: Asked; readonly known: KnownRecord };

/** A field of a record that is changed in its place. */
export function FieldRow({
  field,
  type,
  known,
  send,
}: {
  readonly field: EditableField;
  readonly type: TypeDescription;
  readonly known: KnownRecord;
  readonly send: Send;
}): ReactNode {
  const [state, setState] = useState<State>({ kind: 'shown' });
  const row = useRef<HTMLDivElement>(null);
  const wasEdited = useRef(false);
  const isEdited = state.kind === 'edited' || state.kind === 'asks';
  useEffect(() => {
    // The editor disappears with the focus in it.
    if (wasEdited.current && !isEdited) row.current?.querySelector('button')?.focus();
    wasEdited.current = isEdited;
  }, [isEdited]);
  const current = known.data[field.rest] ?? null;
  const save = async (value: unknown, base = known, more: Asked = {}): Promise<void> => {
    setState({ kind: 'saving', value });
    try {
      const { body, fields } = changeOf(field, value);
      const outcome = await send(base, { body: { ...body, ...more }, fields });
      if (outcome.kind === 'differs') {
        setState({ kind: 'differs', value, more, known: outcome.known });
        return;
      }
      setState({ kind: 'shown' });
      const undo = (): void => void undoChange(field, send, outcome.known, base.data[field.rest] ?? null);
      showToast(`${field.label}: ${valueInWords(field, outcome.known.data[field.rest])}`, 'good', undo);
    } catch (error) {
      const failure = failureOf(error);
      const said = failure.kind === 'invalid' ? failure.refusals.map(({ message }) => message) : [];
      setState({
        kind: 'refused',
        value,
        more,
        message: said.length > 0 ? said.join('\n') : explain(error),
        mayRetry: ['broken', 'too_fast', 'stale', 'conflict'].includes(failure.kind),
      });
    }
  };
  const choose = (value: unknown): void => {
    const asked = askedWith(type, field, value);
    if (asked.length > 0 && value !== current) setState({ kind: 'asks', value, asked });
    else void save(value);
  };
  const isPending = state.kind === 'saving';
  const shown = isPending || state.kind === 'asks' ? state.value : current;
  const leave = (): void => setState({ kind: 'shown' });
  return (
    <div className="fact" id={fieldId(field.name)} ref={row} data-pending={isPending || undefined}>
      {state.kind === 'edited' ? (
        <FieldEditor field={field} value={current} onSave={(value) => void save(value)} onCancel={leave} />
      ) : field.kind === 'choice' || field.kind === 'flag' ? (
        <Select
          label={field.label}
          isLabelHidden
          value={inBody(shown) === null ? '' : String(shown)}
          onChange={(value) => choose(field.kind === 'flag' ? value === 'true' : value === '' ? null : value)}
          options={optionsOf(type, field, current)}
        />
      ) : (
        <div className="fact-line">
          <div>
            <FieldValue field={field} value={shown} files={filesOf(known.data, field.rest)} />
          </div>
          <IconButton label={`Change ${field.label}`} onPress={() => !isPending && setState({ kind: 'edited' })}>
            <Pencil aria-hidden size={16} strokeWidth={1.75} />
          </IconButton>
        </div>
      )}
      {state.kind === 'asks' && (
        <AskedForm asked={state.asked} onSave={(more) => void save(state.value, known, more)} onCancel={leave} />
      )}
      {isPending && (
        <span className="meta" role="status">
          Saving …
        </span>
      )}
      {state.kind === 'refused' && (
        <Notice
          text={`Not saved: ${state.message}`}
          actions={[
            ...(state.mayRetry
              ? [{ verb: 'Try again', onPress: () => void save(state.value, known, state.more) }]
              : []),
            { verb: 'Dismiss', onPress: leave },
          ]}
        />
      )}
      {state.kind === 'differs' && (
        <Notice
          text={`Not saved: somebody has changed ${field.label} to “${valueInWords(field, state.known.data[field.rest])}” since you looked. Yours is “${valueInWords(field, state.value)}”.`}
          actions={[
            { verb: 'Use mine', onPress: () => void save(state.value, state.known, state.more) },
            { verb: 'Keep theirs', onPress: leave },
          ]}
        />
      )}
    </div>
  );
}

/** Asks for what a status needs, before it is written. */
function AskedForm({
  asked,
  onSave,
  onCancel,
}: {
  readonly asked: readonly EditableField[];
  readonly onSave: (more: Asked) => void;
  readonly onCancel: () => void;
}): ReactNode {
  const [given, setGiven] = useState<Asked>(() => proposedFor(asked));
  const form = useRef<HTMLDivElement>(null);
  // The choice that opened the form has closed, with the focus on its button.
  useEffect(() => form.current?.querySelector<HTMLElement>('[type=submit]')?.focus(), []);
  return (
    <div ref={form}>
      <Form onSend={() => onSave(given)}>
        <AskedFields asked={asked} given={given} onChange={setGiven} />
        <FormActions verb="Save" isPending={false} onCancel={onCancel} />
      </Form>
    </div>
  );
}

function Notice({
  text,
  actions,
}: {
  readonly text: string;
  readonly actions: readonly { readonly verb: string; readonly onPress: () => void }[];
}): ReactNode {
  return (
    <div role="alert" className="fact-notice">
      <p className="field-error">{text}</p>
      <div className="row">
        {actions.map(({ verb, onPress }) => (
          <Button key={verb} onPress={onPress}>
            {verb}
          </Button>
        ))}
      </div>
    </div>
  );
}

const changeOf = (field: EditableField, value: unknown): RecordChange => ({
  body: { [field.restInput]: inBody(value) },
  fields: [field.rest],
});

/** Writes the former value, unless somebody has changed the field since. */
async function undoChange(field: EditableField, send: Send, base: KnownRecord, value: unknown): Promise<void> {
  try {
    const { kind } = await send(base, changeOf(field, value));
    if (kind === 'written') showToast(`${field.label} is back to: ${valueInWords(field, value)}`);
    else showToast(`Not undone: somebody has changed ${field.label} since.`, 'bad');
  } catch (error) {
    showToast(`Not undone: ${explain(error)}`, 'bad');
  }
}

const optionsOf = (type: TypeDescription, field: EditableField, value: unknown) =>
  field.kind === 'flag'
    ? [
        { value: 'true', label: 'Yes' },
        { value: 'false', label: 'No' },
      ]
    : [
        ...(field.required ? [] : [{ value: '', label: 'None' }]),
        ...allowedWords(type, field, value).map((word) => ({ value: word.value, label: word.label })),
      ];
