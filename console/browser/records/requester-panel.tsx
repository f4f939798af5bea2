import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { StepDescription, TypeDescription } from '@itsm/shared/declared/description';
import { numberOf } from '../api/number';
import { Button } from '../design/button';
import { Checkbox, ErrorSummary, TextField } from '../design/field';
import { Form, FormActions } from '../design/form';
import type { InputError } from '../design/input-error';
import { Panel } from '../design/panel';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { useDraft } from '../frame/draft';
import { writeErrors } from '../frame/write-errors';
import { wordsOf } from '../parts/record-status';
import type { KnownRecord } from './change';
import type { Kind } from './kinds';
import type { Referred } from './reference-box';
import { possibleSteps } from './steps';
import { useStep } from './use-record';
import type { RestRecord } from './values';

/** For those who asked for the work: where it is, who has it, and what they can do. */
export function RequesterPanel({
  known,
  kind,
  number,
  type,
}: {
  readonly known: KnownRecord;
  readonly kind: Kind;
  readonly number: string;
  readonly type: TypeDescription;
}): ReactNode {
  const { session } = useAccount();
  const [open, setOpen] = useState<StepDescription>();
  const panel = useRef<HTMLDivElement>(null);
  const record = known.data;
  const status = typeof record['status'] === 'string' ? record['status'] : '';
  const word = type.fields.find(({ name }) => name === 'status')?.words?.find(({ value }) => value === status);
  const steps = possibleSteps(type, record, Number(numberOf(session.person.id)), new Date());
  if (!type.hasStatus) return null;
  return (
    <Panel title="What happens now">
      <div className="stack" ref={panel}>
        <p>{[`${wordsOf(word, status, false)}.`, hasIt(record, type), word?.next].filter(Boolean).join(' ')}</p>
        {open ? (
          <StepForm
            key={open.name}
            step={open}
            kind={kind}
            number={number}
            onClose={() => {
              setOpen(undefined);
              // The form disappears with the focus in it.
              document.querySelector('h1')?.focus();
            }}
          />
        ) : (
          steps.length > 0 && (
            <div className="row">
              {steps.map((step) => (
                <Button key={step.name} onPress={() => setOpen(step)}>
                  {step.label}
                </Button>
              ))}
            </div>
          )
        )}
      </div>
    </Panel>
  );
}

/** "Howard Tanner has it.", while there is something left to do. */
function hasIt(record: RestRecord, type: TypeDescription): string | undefined {
  if (type.closed?.includes(String(record['status']))) return undefined;
  const [member, team] = ['member', 'team'].map((field) => record[field] as Referred | null | undefined);
  const who = member ?? team;
  return who ? `${who.name} has it.` : undefined;
}

interface Draft {
  readonly note: string;
  readonly flags: Readonly<Record<string, boolean>>;
  /** What was sent without an answer: sent again, it is done once. */
  readonly sent: { readonly body: string; readonly key: string } | null;
}
const empty: Draft = { note: '', flags: {}, sent: null };

function StepForm({
  step,
  kind,
  number,
  onClose,
}: {
  readonly step: StepDescription;
  readonly kind: Kind;
  readonly number: string;
  readonly onClose: () => void;
}): ReactNode {
  const take = useStep({ kind, number });
  const [draft, setDraft, dropDraft] = useDraft(`${step.name} ${kind.plural}/${number}`, empty);
  const [errors, setErrors] = useState<readonly InputError[]>([]);
  const [isPending, setPending] = useState(false);
  const send = async (): Promise<void> => {
    const note = draft.note.trim();
    if (isPending) return;
    if (step.asksNote && note === '') {
      setErrors([{ path: 'note', message: 'Say why first.' }]);
      return;
    }
    const body = { ...(note !== '' && { note }), ...draft.flags };
    const text = JSON.stringify(body);
    const key = draft.sent?.body === text ? draft.sent.key : crypto.randomUUID();
    setDraft({ ...draft, sent: { body: text, key } });
    setPending(true);
    setErrors([]);
    try {
      await take(step.name, body, key);
      dropDraft();
      showToast(step.done);
      onClose();
    } catch (error) {
      setErrors(writeErrors(error, (member) => (member === 'note' ? 'note' : undefined)));
      setPending(false);
    }
  };
  return (
    <Form onSend={() => void send()}>
      <ErrorSummary errors={errors} title="Not done yet:" />
      <TextField
        label={step.asksNote ? 'Why?' : 'Anything to add?'}
        name="note"
        rows={3}
        isOptional={!step.asksNote}
        value={draft.note}
        onChange={(note) => {
          setErrors([]);
          setDraft({ ...draft, note });
        }}
        error={errors.find(({ path }) => path === 'note')?.message}
        autoFocus
      />
      {step.flags.map(({ name, label }) => (
        <Checkbox
          key={name}
          name={name}
          isSelected={draft.flags[name] ?? false}
          onChange={(isSet) => setDraft({ ...draft, flags: { ...draft.flags, [name]: isSet } })}
        >
          {label}
        </Checkbox>
      ))}
      <FormActions verb={step.label} isPending={isPending} onCancel={onClose} />
    </Form>
  );
}
