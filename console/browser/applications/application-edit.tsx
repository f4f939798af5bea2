import './applications.css';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { idOf } from '../api/number';
import { useDocument, useWrite } from '../api/queries';
import { Checkbox, ErrorSummary } from '../design/field';
import type { InputError } from '../design/input-error';
import { Form, FormActions } from '../design/form';
import { Banner } from '../design/panel';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { useDraft } from '../frame/draft';
import { failedCall } from '../frame/failed-call';
import { Fetched } from '../frame/fetched';
import { NotThere } from '../frame/not-there';
import { Page } from '../frame/page';
import { ApplicationFields } from './application-fields';
import { applicationDetail, applicationUpdate } from './documents';
import type { Application } from './documents';
import { changesOf, hasSameScopes, toForm, toFormErrors, toSettings } from './form';
import { grantWords } from './texts';

/** The form for an application's settings; it warns before a change that ends existing grants. */
export function ApplicationEdit(): ReactNode {
  const { account, session } = useAccount();
  const { application: number } = useParams({ from: '/accounts/$account/applications/$application/edit' });
  const id = idOf('OAuthApplication', number, session.person.id);
  const query = useDocument(applicationDetail, { id }, account);
  const application = query.data?.data.oauthApplication;
  const crumbs = [
    { label: 'Applications', to: `/accounts/${account}/applications` },
    { label: application?.name ?? number, to: `/accounts/${account}/applications/${number}` },
  ];
  return (
    <Page title={application ? `Edit ${application.name}` : 'Edit application'} crumbs={crumbs}>
      <Fetched query={query}>
        {() =>
          application ? (
            <EditForm application={application} number={number} />
          ) : (
            <NotThere what={`application ${number}`} list="applications" all="all applications" />
          )
        }
      </Fetched>
    </Page>
  );
}

function EditForm({ application, number }: { readonly application: Application; readonly number: string }): ReactNode {
  const { account } = useAccount();
  const navigate = useNavigate();
  // A snapshot from when the form was opened: only changed fields are sent, so concurrent changes to others are kept.
  const [before] = useState(() => toForm(application));
  const [form, setForm, dropDraft] = useDraft(`application ${number}`, before);
  const [errors, setErrors] = useState<readonly InputError[]>([]);
  const update = useWrite(applicationUpdate, account);
  const leave = (): void => {
    dropDraft();
    void navigate({ to: '/accounts/$account/applications/$application', params: { account, application: number } });
  };
  const submit = (): void => {
    if (update.isPending) return;
    const said = toSettings(form);
    if ('errors' in said) return setErrors(said.errors);
    const changes = changesOf(form, before, said.settings);
    if (Object.keys(changes).length === 0) return leave();
    update.mutate(
      { input: { id: application.id, ...changes } },
      {
        onSuccess: ({ data: { oauthApplicationUpdate: result } }) => {
          if (!result?.oauthApplication) return setErrors(toFormErrors(result?.errors ?? [], form));
          showToast(`${result.oauthApplication.name} is saved.`);
          leave();
        },
        onError: (error) => setErrors([failedCall(error)]),
      },
    );
  };
  const isRevoking = !hasSameScopes(form, before);
  return (
    <Form onSend={submit}>
      <ErrorSummary errors={errors} title="Nothing was changed yet:" />
      <ApplicationFields form={form} onChange={setForm} errors={errors}>
        <GrantTypes
          chosen={form.grantTypes}
          onChange={(grantTypes) => setForm({ ...form, grantTypes })}
          errors={errors}
        />
      </ApplicationFields>
      {isRevoking && (
        <Banner tone="warn" title="Changing the scopes revokes all authorizations.">
          <p>Its tokens stop working at once, and people have to authorize it again.</p>
        </Banner>
      )}
      <FormActions verb={isRevoking ? 'Save and revoke' : 'Save'} isPending={update.isPending} onCancel={leave} />
    </Form>
  );
}

function GrantTypes({
  chosen,
  onChange,
  errors,
}: {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly errors: readonly InputError[];
}): ReactNode {
  const error = errors.find(({ path }) => path === 'grantTypes');
  const errorId = useId();
  // Refresh tokens have a checkbox of their own, beside the redirect addresses.
  const offered = Object.entries(grantWords).filter(([type]) => type !== 'refresh_token');
  return (
    <fieldset className="scopes-field" id="field-grantTypes" {...(error && { 'aria-describedby': errorId })}>
      <legend className="field-label">Grant types</legend>
      {offered.map(([type, { label, note }]) => (
        <Checkbox
          key={type}
          isSelected={chosen.includes(type)}
          onChange={(isOn) => {
            const others = chosen.filter((other) => other !== type);
            if (isOn) onChange([...others, type]);
            else onChange(type === 'authorization_code' ? others.filter((other) => other !== 'refresh_token') : others);
          }}
          note={note}
        >
          {label}
        </Checkbox>
      ))}
      {error && (
        <p className="field-error" id={errorId}>
          {error.message}
        </p>
      )}
    </fieldset>
  );
}
