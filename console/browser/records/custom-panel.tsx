import './custom-form.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { FormValues } from '@itsm/shared/declared/form-fields';
import { Button } from '../design/button';
import { ErrorSummary } from '../design/field';
import { Form, FormActions } from '../design/form';
import { ofNoField } from '../design/input-error';
import type { InputError } from '../design/input-error';
import { Facts, Panel } from '../design/panel';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { draftOf, useDraft } from '../frame/draft';
import { Fetched } from '../frame/fetched';
import { writeErrors } from '../frame/write-errors';
import type { KnownRecord } from './change';
import { changesOf, edited, keptOf, missingIn, pathOf, shownOf, valueInForm, valuesIn, withEdits } from './custom-form';
import type { CustomField, FormDefinition } from './custom-form';
import { CustomInputs } from './custom-inputs';
import type { Kind } from './kinds';
import { filesOf } from './note-parts';
import { TextFiles } from './note-text';
import type { Referred } from './reference-box';
import { formOptions } from './use-extension';
import { useChange } from './use-record';

interface Place {
  readonly known: KnownRecord;
  readonly kind: Kind;
  readonly number: string;
}

/** What the form of the record's UI extension asks for; nothing for a record without one. */
export function CustomPanel({ isEdited, ...place }: Place & { readonly isEdited: boolean }): ReactNode {
  const context = useAccount();
  const { account } = context;
  const extension = place.known.data['ui_extension'] as Referred | null | undefined;
  const query = useQuery({ ...formOptions(account, extension?.id ?? 0), enabled: Boolean(extension) });
  const [isOpen, setOpen] = useState(() => draftOf<Draft>(context, draftName(place)) !== undefined);
  const files = filesOf(place.known.data, 'custom_fields');
  // A record that has lost its extension still has the files.
  if (!extension)
    return (
      files.length > 0 && (
        <Panel title="Files">
          <TextFiles files={files} />
        </Panel>
      )
    );
  const values = valuesIn(place.known.data['custom_fields']);
  return (
    <Panel title={extension.name}>
      <Fetched query={query} rows={3}>
        {(form) =>
          isOpen ? (
            <CustomEditor {...place} form={form} onClose={() => setOpen(false)} />
          ) : (
            <div className="stack">
              <Values form={form} values={values} />
              <TextFiles files={files} />
              {isEdited && form.length > 0 && (
                <div className="row">
                  <Button onPress={() => setOpen(true)}>Change these fields</Button>
                </div>
              )}
            </div>
          )
        }
      </Fetched>
    </Panel>
  );
}

function Values({ form, values }: { readonly form: FormDefinition; readonly values: FormValues }): ReactNode {
  const fields = shownOf(form, values).flatMap((section) => section.fields);
  const known = new Set(form.flatMap((section) => section.fields.map(({ id }) => id)));
  const facts = fields
    .filter(({ id }) => values.has(id))
    .map((field) => [field.label, valueInForm(field, values.get(field.id))] as const);
  const former = [...values]
    .filter(([id]) => !known.has(id))
    .map(([id, value]) => [`${id} (no longer asked for)`, `${value as string}`] as const);
  if (facts.length + former.length === 0) return <p className="muted">Nothing is filled in.</p>;
  return <Facts facts={[...facts, ...former]} />;
}

interface Draft {
  /** What the person has changed: what others change meanwhile stays theirs. */
  readonly edits: readonly CustomField[];
}
const empty: Draft = { edits: [] };
const draftName = ({ kind, number }: Pick<Place, 'kind' | 'number'>): string => `form ${kind.plural}/${number}`;

function CustomEditor({
  form,
  onClose,
  known,
  kind,
  number,
}: Place & { readonly form: FormDefinition; readonly onClose: () => void }): ReactNode {
  const send = useChange({ kind, number });
  const before = valuesIn(known.data['custom_fields']);
  const [draft, setDraft, dropDraft] = useDraft(draftName({ kind, number }), empty);
  const [edits, setEdits] = useState(draft.edits);
  const values = withEdits(before, edits);
  const [errors, setErrors] = useState<readonly InputError[]>([]);
  const [isPending, setPending] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  const isDraft = draft.edits.length > 0;
  useEffect(() => {
    // The button that opened it has gone with the focus. A draft is there without one.
    if (!isDraft) fields.current?.querySelector<HTMLElement>('input, textarea, button')?.focus();
  }, []);
  const close = (): void => {
    dropDraft();
    onClose();
    // The form disappears with the focus in it.
    document.querySelector('h1')?.focus();
  };
  const save = async (): Promise<void> => {
    if (isPending) return;
    const wrong = missingIn(form, values);
    setErrors(wrong);
    if (wrong.length > 0) return;
    const changes = changesOf(form, before, values);
    if (changes.length === 0) {
      close();
      return;
    }
    setPending(true);
    try {
      const outcome = await send(known, { body: { custom_fields: changes }, fields: ['custom_fields'] });
      if (outcome.kind === 'written') {
        showToast('Saved.');
        close();
        return;
      }
      const message =
        'Somebody has changed these fields since you looked. Their changes are here now, and yours: save again.';
      setErrors([{ path: ofNoField, message }]);
    } catch (error) {
      const paths = form.flatMap(({ fields: all }) => all.map(({ id }) => pathOf(id)));
      setErrors(writeErrors(error, (member) => paths.find((path) => path === member)));
    }
    setPending(false);
  };
  return (
    <Form onSend={() => void save()}>
      <ErrorSummary errors={errors} title="Not saved yet:" />
      <div className="form" ref={fields}>
        <CustomInputs
          form={form}
          values={values}
          errors={errors}
          onChange={(id, value) => {
            const next = edited(edits, id, value);
            setErrors((all) => all.filter(({ path }) => path !== pathOf(id)));
            setEdits(next);
            setDraft({ edits: keptOf(form, next) });
          }}
        />
      </div>
      <FormActions verb="Save" isPending={isPending} onCancel={close} />
    </Form>
  );
}
