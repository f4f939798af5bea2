import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { rest } from '../api/rest';
import { ErrorSummary, TextField } from '../design/field';
import { Form, FormActions } from '../design/form';
import type { InputError } from '../design/input-error';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { useDraft } from '../frame/draft';
import { writeErrors } from '../frame/write-errors';
import { AlikeRecords } from '../parts/alike-records';
import { messageAt } from '../parts/setting-fields';
import { pathOf } from './custom-form';
import type { FormDefinition } from './custom-form';
import { fieldsOfNew } from './editing';
import type { EditableField } from './editing';
import { parsed } from './field-editor';
import { FileBox, unfinished } from './file-box';
import type { Kind } from './kinds';
import { NewField } from './new-field';
import type { Given } from './new-field';
import { TemplateFields } from './template-fields';
import { useFiles } from './use-files';
import type { Files } from './use-files';
import { asAttachment, refreshAround } from './use-record';
import { useTemplate } from './use-template';
import type { RestRecord } from './values';

interface Draft {
  /** By the names of the fields. */
  readonly values: Readonly<Record<string, Given>>;
  readonly note: string;
  /** What was sent without an answer: sent again, it is created once. */
  readonly sent: { readonly body: string; readonly key: string } | null;
}
const empty: Draft = { values: {}, note: '', sent: null };

/** The form of a new record, from the description of its type; what is left empty is for the platform to fill. */
export function NewRecordForm({ kind, type }: { readonly kind: Kind; readonly type: TypeDescription }): ReactNode {
  const { account, session } = useAccount();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [draft, setDraft, dropDraft] = useDraft(`new ${kind.plural}`, empty);
  const files = useFiles(`new ${kind.plural}`);
  const template = useTemplate(kind, type);
  const [errors, setErrors] = useState<readonly InputError[]>([]);
  const [isPending, setPending] = useState(false);
  const { first, more } = fieldsOfNew(type, session);
  const title = draft.values[type.title ?? ''];
  const send = async (): Promise<void> => {
    if (isPending) return;
    const { body: given, wrong: unfit } = bodyOf([...first, ...more], draft, files);
    const wrong = [...unfit, ...template.wrong()];
    setErrors(wrong);
    if (wrong.length > 0) return;
    const body = { ...given, ...template.body() };
    const text = JSON.stringify(body);
    const key = draft.sent?.body === text ? draft.sent.key : crypto.randomUUID();
    setDraft({ ...draft, sent: { body: text, key } });
    setPending(true);
    try {
      const headers = { 'Idempotency-Key': `"${key}"` };
      const { id } = await rest<RestRecord>(account, `/${kind.plural}`, { method: 'POST', body, headers });
      dropDraft();
      files.drop();
      template.drop();
      showToast(`${type.label} ${id} is created.`);
      void refreshAround(client, { account, kind, number: String(id) });
      const params = { account, kind: kind.plural, record: String(id) };
      await navigate({ to: '/accounts/$account/$kind/$record', params });
    } catch (error) {
      const places = placesOf([...first, ...more], template.form);
      setErrors(writeErrors(error, (member) => places.get(member)));
      setPending(false);
    }
  };
  const fieldOf = (field: EditableField): ReactNode => (
    <NewField
      key={field.name}
      field={field}
      value={draft.values[field.name] ?? ''}
      onChange={(value) => {
        setErrors((before) => before.filter(({ path }) => path !== field.name));
        setDraft({ ...draft, values: { ...draft.values, [field.name]: value } });
      }}
      error={messageAt(errors, field.name)}
      isOptional={field.name !== type.title}
    />
  );
  return (
    <Form onSend={() => void send()}>
      <ErrorSummary errors={errors} title="Not created yet:" />
      {first.filter(({ name }) => name === type.title).map(fieldOf)}
      {typeof title === 'string' && <AlikeRecords typeName={type.name} title={title} />}
      <TemplateFields
        template={template}
        errors={errors}
        onChange={(changed) => setErrors((before) => before.filter(({ path }) => path !== changed))}
      />
      {kind.hasNotes && (
        <FileBox files={files} error={messageAt(errors, 'attachments')}>
          <TextField
            label="Note"
            name="note"
            rows={5}
            isOptional
            help="Public: everybody who sees it reads this note."
            value={draft.note}
            onChange={(note) => setDraft({ ...draft, note })}
            error={messageAt(errors, 'note')}
          />
        </FileBox>
      )}
      {first.filter(({ name }) => name !== type.title).map(fieldOf)}
      {more.length > 0 && (
        <details className="disclosure-plain" open={more.some(({ name }) => messageAt(errors, name) !== undefined)}>
          <summary>More fields</summary>
          <div className="form">{more.map(fieldOf)}</div>
        </details>
      )}
      <FormActions verb={`Create ${kind.noun}`} isPending={isPending} />
    </Form>
  );
}

/** The body of what is filled in, and what is wrong with it. */
function bodyOf(fields: readonly EditableField[], { values, note }: Draft, { sent, coming }: Files) {
  const body: Record<string, unknown> = {};
  const wrong: InputError[] = [];
  for (const field of fields) {
    const given = values[field.name] ?? '';
    if (typeof given === 'boolean') body[field.restInput] = given;
    else if (typeof given !== 'string') body[field.restInput] = given.id;
    else {
      const result = parsed(field, given);
      if ('wrong' in result) wrong.push({ path: field.name, message: result.wrong });
      else if (result.value !== null) body[field.restInput] = result.value;
    }
  }
  if (coming.length > 0) wrong.push({ path: 'attachments', message: unfinished });
  else if (sent.length > 0 && note.trim() === '') wrong.push({ path: 'note', message: 'Write a note for the files.' });
  return {
    body: {
      ...body,
      ...(note.trim() !== '' && { note: note.trim() }),
      ...(sent.length > 0 && { note_attachments: sent.map(asAttachment) }),
    },
    wrong,
  };
}

/** The fields of the form by their names in REST. */
function placesOf(fields: readonly EditableField[], form: FormDefinition): ReadonlyMap<string | undefined, string> {
  return new Map([
    ...fields.map(({ restInput, name }) => [restInput, name] as const),
    ...form.flatMap((section) => section.fields).map(({ id }) => [pathOf(id), pathOf(id)] as const),
    ['note', 'note'],
    ['note_attachments', 'attachments'],
    ['ui_extension_id', 'template'],
  ]);
}
