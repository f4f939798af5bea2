import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { numberOf } from '../api/number';
import { useDocument, useWrite } from '../api/queries';
import { isAdministrator } from '../api/session';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { useDraft } from '../frame/draft';
import { Fetched, NotAllowed } from '../frame/fetched';
import { NotThere } from '../frame/not-there';
import { Page } from '../frame/page';
import { webhookCreate, webhookForm, webhookUpdate } from './documents';
import type { Known } from './documents';
import { Fields } from './fields';
import type { Refusals } from './fields';
import { changesOf, inputOf, valuesOf } from './form-values';
import type { Values } from './form-values';
import { texts } from './texts';

interface Named {
  readonly id: string;
}
interface Saved {
  readonly webhook: Named | null;
  readonly errors?: Refusals;
}

const list = (account: string) => [{ label: 'Webhooks', to: `/accounts/${account}/webhooks` }];

/** A new webhook: two required fields, with optional ones below. */
export function NewWebhook(): ReactNode {
  const { account, session } = useAccount();
  const query = useDocument(webhookForm, { id: '0', isNew: true }, account);
  return (
    <Page title="New webhook" crumbs={list(account)} lead={texts.form.lead}>
      {isAdministrator(session) ? (
        <Fetched query={query}>{({ data }) => <Register known={data} />}</Fetched>
      ) : (
        <div className="panel">
          <NotAllowed />
        </div>
      )}
    </Page>
  );
}

function Register({ known }: { readonly known: Known }): ReactNode {
  const { account } = useAccount();
  const { event, uri } = useSearch({ from: '/accounts/$account/webhooks/new' });
  const write = useWrite(webhookCreate, account);
  return (
    <Editor
      draft="new webhook"
      initial={valuesOf(undefined, { event, uri })}
      known={known}
      verb="Register"
      isPending={write.isPending}
      onSave={async (values) => {
        const { data } = await write.mutateAsync({ input: inputOf(values) });
        if (data.webhookCreate?.webhook) showToast(`${data.webhookCreate.webhook.name} is registered.`);
        return data.webhookCreate;
      }}
    />
  );
}

export function EditWebhook(): ReactNode {
  const { webhook } = useParams({ from: '/accounts/$account/webhooks/$webhook/edit' });
  return <EditOne key={webhook} number={webhook} />;
}

function EditOne({ number }: { readonly number: string }): ReactNode {
  const { account } = useAccount();
  const query = useDocument(webhookForm, { id: number, isNew: false }, account);
  const name = query.data?.data.webhook?.name;
  return (
    <Page
      title={name === undefined ? 'Edit webhook' : `Edit ${name}`}
      crumbs={[...list(account), { label: name ?? `Webhook ${number}`, to: `/accounts/${account}/webhooks/${number}` }]}
    >
      <Fetched query={query}>
        {({ data }) =>
          data.webhook ? (
            <Change known={data} webhook={data.webhook} />
          ) : (
            <NotThere what={`webhook ${number}`} list="webhooks" all="all webhooks" />
          )
        }
      </Fetched>
    </Page>
  );
}

function Change({
  known,
  webhook,
}: {
  readonly known: Known;
  readonly webhook: NonNullable<Known['webhook']>;
}): ReactNode {
  const { account } = useAccount();
  const write = useWrite(webhookUpdate, account);
  const initial = valuesOf(webhook);
  return (
    <Editor
      draft={`webhook ${webhook.id}`}
      initial={initial}
      known={known}
      webhook={webhook}
      verb="Save"
      isPending={write.isPending}
      onSave={async (values) => {
        const changes = changesOf(values, initial);
        if (Object.keys(changes).length === 0) return { webhook };
        const { data } = await write.mutateAsync({ input: { id: webhook.id, ...changes } });
        if (data.webhookUpdate?.webhook) showToast(`${data.webhookUpdate.webhook.name} is saved.`);
        return data.webhookUpdate;
      }}
    />
  );
}

/** The form with a draft, which is dropped on leaving; `webhook` is undefined for a new one. */
function Editor({
  draft,
  initial,
  onSave,
  ...rest
}: {
  readonly draft: string;
  readonly initial: Values;
  readonly known: Known;
  readonly webhook?: NonNullable<Known['webhook']>;
  readonly verb: string;
  readonly isPending: boolean;
  readonly onSave: (values: Values) => Promise<Saved | null>;
}): ReactNode {
  const { account } = useAccount();
  const navigate = useNavigate();
  const [values, setValues, drop] = useDraft(draft, initial);
  const leaveTo = (webhook: Named | undefined): void => {
    drop();
    if (!webhook) void navigate({ to: '/accounts/$account/webhooks', params: { account } });
    else
      void navigate({
        to: '/accounts/$account/webhooks/$webhook',
        params: { account, webhook: numberOf(webhook.id) },
      });
  };
  const send = async (): Promise<Refusals> => {
    const { webhook, errors = [] } = (await onSave(values)) ?? {};
    if (!webhook) return errors;
    leaveTo(webhook);
    return [];
  };
  return <Fields values={values} onChange={setValues} onSend={send} onCancel={() => leaveTo(rest.webhook)} {...rest} />;
}
