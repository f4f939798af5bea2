import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { numberOf } from '../api/number';
import type { VariablesOf } from '../api/graphql';
import { useWrite } from '../api/queries';
import { isAdministrator } from '../api/roles';
import { useTyped } from '../api/types';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { useDraft } from '../frame/draft';
import { Fetched, NotAllowed } from '../frame/fetched';
import { NotThere } from '../frame/not-there';
import { Page } from '../frame/page';
import { changesIn, toForm, toInput } from '../parts/settings';
import type { SettingForm } from '../parts/settings';
import { webhookCreate, webhookForm, webhookUpdate } from './documents';
import type { Known } from './documents';
import { Fields } from './fields';
import type { Refusals } from './fields';
import { texts } from './texts';

const form = { document: webhookForm, fragment: 'WebhookSettings' };

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
  const { described, query } = useTyped('webhook', form, { id: '0', isNew: true }, account);
  return (
    <Page title="New webhook" crumbs={list(account)} lead={texts.form.lead}>
      {isAdministrator(session) ? (
        <Fetched query={described}>
          {(type) => <Fetched query={query}>{({ data }) => <Register type={type} known={data} />}</Fetched>}
        </Fetched>
      ) : (
        <div className="panel">
          <NotAllowed />
        </div>
      )}
    </Page>
  );
}

interface Properties {
  readonly type: TypeDescription;
  readonly known: Known;
}

function Register({ type, known }: Properties): ReactNode {
  const { account } = useAccount();
  const { event, uri } = useSearch({ from: '/accounts/$account/webhooks/new' });
  const write = useWrite(webhookCreate, account);
  return (
    <Editor
      draft="new webhook"
      type={type}
      initial={{ ...toForm(type), ...(event !== undefined && { event }), ...(uri !== undefined && { uri }) }}
      known={known}
      verb="Register"
      isPending={write.isPending}
      onSave={async (input) => {
        const { data } = await write.mutateAsync({ input: input as VariablesOf<typeof webhookCreate>['input'] });
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
  const { described, query } = useTyped('webhook', form, { id: number, isNew: false }, account);
  const name = query.data?.data.webhook?.name;
  return (
    <Page
      title={name === undefined ? 'Edit webhook' : `Edit ${name}`}
      crumbs={[...list(account), { label: name ?? `Webhook ${number}`, to: `/accounts/${account}/webhooks/${number}` }]}
    >
      <Fetched query={described}>
        {(type) => (
          <Fetched query={query}>
            {({ data }) =>
              data.webhook ? (
                <Change type={type} known={data} webhook={data.webhook} />
              ) : (
                <NotThere what={`webhook ${number}`} list="webhooks" all="all webhooks" />
              )
            }
          </Fetched>
        )}
      </Fetched>
    </Page>
  );
}

function Change({ type, known, webhook }: Properties & { readonly webhook: NonNullable<Known['webhook']> }): ReactNode {
  const { account } = useAccount();
  const write = useWrite(webhookUpdate, account);
  const initial = toForm(type, webhook);
  return (
    <Editor
      draft={`webhook ${webhook.id}`}
      type={type}
      initial={initial}
      known={known}
      webhook={webhook}
      verb="Save"
      isPending={write.isPending}
      onSave={async (input) => {
        const changes = changesIn(input, toInput(type, initial, false).input);
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
  readonly type: TypeDescription;
  readonly initial: SettingForm;
  readonly known: Known;
  readonly webhook?: NonNullable<Known['webhook']>;
  readonly verb: string;
  readonly isPending: boolean;
  readonly onSave: (input: Readonly<Record<string, unknown>>) => Promise<Saved | null>;
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
    const { input, errors: wrong } = toInput(rest.type, values, rest.webhook === undefined);
    if (wrong.length > 0) return wrong.map(({ path, message }) => ({ path: [path], message }));
    const { webhook, errors = [] } = (await onSave(input)) ?? {};
    if (!webhook) return errors;
    leaveTo(webhook);
    return [];
  };
  return <Fields values={values} onChange={setValues} onSend={send} onCancel={() => leaveTo(rest.webhook)} {...rest} />;
}
