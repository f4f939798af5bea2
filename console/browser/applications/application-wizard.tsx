import './applications.css';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { explain } from '../api/errors';
import { numberOf } from '../api/number';
import { useWrite } from '../api/queries';
import { isAdministrator } from '../api/roles';
import { useType } from '../api/types';
import { ErrorSummary } from '../design/field';
import type { InputError } from '../design/input-error';
import { Form, FormActions } from '../design/form';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { useDraft } from '../frame/draft';
import { failedCall } from '../frame/failed-call';
import { Fetched, NotAllowed } from '../frame/fetched';
import { Page } from '../frame/page';
import { keepSecret } from '../frame/shown-once';
import { toErrors } from '../parts/settings';
import { ApplicationFields } from './application-fields';
import { applicationCreate, clientTokenCreate } from './documents';
import { emptyForm, ofKind, toSettings } from './form';
import type { ApplicationForm } from './form';
import { kinds } from './texts';
import type { Kind } from './texts';

type Draft = ApplicationForm & { readonly kind: Kind };

/** Asks for the kind of application, then creates it with its first client token. */
export function ApplicationWizard(): ReactNode {
  const { account, session } = useAccount();
  const described = useType('oauth_application', account);
  return (
    <Page title="New application" crumbs={[{ label: 'Applications', to: `/accounts/${account}/applications` }]}>
      {isAdministrator(session) ? (
        <Fetched query={described}>{(type) => <NewForm type={type} />}</Fetched>
      ) : (
        <NotAllowed />
      )}
    </Page>
  );
}

function NewForm({ type }: { readonly type: TypeDescription }): ReactNode {
  const { account } = useAccount();
  const navigate = useNavigate();
  const [draft, setDraft, dropDraft] = useDraft<Draft>('application', { ...emptyForm(type), kind: 'web' });
  const [errors, setErrors] = useState<readonly InputError[]>([]);
  const [isBusy, setBusy] = useState(false);
  const create = useWrite(applicationCreate, account);
  const createToken = useWrite(clientTokenCreate, account);
  const { kind, ...form } = draft;

  const submit = async (): Promise<void> => {
    const said = toSettings(type, form, true);
    if ('errors' in said) return setErrors(said.errors);
    const made = (await create.mutateAsync({ input: said.settings })).data.oauthApplicationCreate;
    if (!made?.oauthApplication) return setErrors(toErrors(type, made?.errors ?? [], form.settings));
    dropDraft();
    const { id, name } = made.oauthApplication;
    await addToken(id, name);
    await navigate({
      to: '/accounts/$account/applications/$application',
      params: { account, application: numberOf(id) },
      replace: true,
    });
  };
  const addToken = async (applicationId: string, name: string): Promise<void> => {
    try {
      const made = (await createToken.mutateAsync({ input: { applicationId } })).data.oauthApplicationTokenCreate;
      if (made?.oauthApplicationToken && made.clientSecret !== null)
        keepSecret(made.oauthApplicationToken.clientId, made.clientSecret);
      showToast(`${name} is ready.`);
    } catch (error) {
      showToast(`${name} was created without a client token. ${explain(error)}`, 'bad');
    }
  };
  const send = (): void => {
    if (isBusy) return;
    setBusy(true);
    submit()
      .catch((error: unknown) => setErrors([failedCall(error)]))
      .finally(() => setBusy(false));
  };

  const cancel = (): void => {
    dropDraft();
    void navigate({ to: '/accounts/$account/applications', params: { account } });
  };

  return (
    <Form onSend={send}>
      <ErrorSummary errors={errors} title="Nothing was created yet:" />
      <fieldset className="kind-cards">
        <legend className="field-label">What are you building?</legend>
        {kinds.map(({ kind: each, label, note }) => (
          <label key={each} className="kind-card">
            <input
              type="radio"
              name="kind"
              value={each}
              checked={kind === each}
              onChange={() => setDraft({ ...ofKind(form, each), kind: each })}
            />
            <span>
              <strong>{label}</strong>
              <small>{note}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <ApplicationFields
        type={type}
        form={form}
        onChange={(next) => setDraft({ ...next, kind })}
        errors={errors}
        kind={kind}
      />
      <FormActions verb="Create application" isPending={isBusy} onCancel={cancel}>
        <span className="meta">Creates a client id and a secret, shown once.</span>
      </FormActions>
    </Form>
  );
}
