import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { refusal } from '../api/fragments';
import { graphql } from '../api/graphql';
import { numberOf } from '../api/number';
import { useWrite } from '../api/queries';
import { ErrorSummary, TextField } from '../design/field';
import type { InputError } from '../design/input-error';
import { Form, FormActions } from '../design/form';
import { Panel } from '../design/panel';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { useDraft } from '../frame/draft';
import { failedCall } from '../frame/failed-call';
import { fieldErrors } from '../frame/field-errors';
import { AlikeRecords } from '../parts/alike-records';

const create = graphql(
  `
    mutation RequestCreate($input: RequestCreateInput!) {
      requestCreate(input: $input) {
        request {
          id
          subject
        }
        errors {
          ...Refusal
        }
      }
    }
  `,
  [refusal],
);

/** The labels of the fields, by the name in the API. */
const labels = { subject: 'Subject', note: 'Details' } as const;

/** A form for a new request with two fields: the need, and details. */
export function AskForm(): ReactNode {
  const { account } = useAccount();
  const navigate = useNavigate();
  const write = useWrite(create, account);
  const [draft, setDraft, dropDraft] = useDraft('ask', { subject: '', note: '' });
  const [errors, setErrors] = useState<readonly InputError[]>([]);
  const send = (): void => {
    if (write.isPending) return;
    if (draft.subject.trim() === '') {
      setErrors([{ path: 'subject', message: 'Enter a subject.' }]);
      return;
    }
    const input = { subject: draft.subject, ...(draft.note.trim() !== '' && { note: draft.note }) };
    write.mutate(
      { input },
      {
        onSuccess: ({ data }) => {
          const request = data.requestCreate?.request;
          if (!request) {
            const refused = data.requestCreate?.errors ?? [];
            setErrors(fieldErrors(refused, labels));
            return;
          }
          dropDraft();
          showToast(`Sent: ${request.subject}`);
          void navigate({
            to: '/accounts/$account/$kind/$record',
            params: { account, kind: 'requests', record: numberOf(request.id) },
          });
        },
        onError: (error) => setErrors([failedCall(error)]),
      },
    );
  };
  const errorOf = (name: string): string | undefined => errors.find(({ path }) => path === name)?.message;
  return (
    <Panel title="What do you need?">
      <Form onSend={send}>
        <ErrorSummary errors={errors} title="Not sent yet:" />
        <TextField
          label={labels.subject}
          name="subject"
          value={draft.subject}
          onChange={(subject) => setDraft({ ...draft, subject })}
          error={errorOf('subject')}
          placeholder="A new laptop, access to the archive …"
        />
        <AlikeRecords typeName="request" title={draft.subject} />
        <TextField
          label={labels.note}
          name="note"
          isOptional
          rows={4}
          value={draft.note}
          onChange={(note) => setDraft({ ...draft, note })}
          error={errorOf('note')}
        />
        <FormActions verb="Send" isPending={write.isPending} />
      </Form>
    </Panel>
  );
}
