import './applications.css';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { idOf } from '../api/number';
import { useWrite } from '../api/queries';
import { useTyped } from '../api/types';
import { ErrorSummary } from '../design/field';
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
import { toErrors } from '../parts/settings';
import { ApplicationFields } from './application-fields';
import { applicationDetail, applicationUpdate } from './documents';
import type { Application } from './documents';
import { changesOf, hasSameScopes, toApplicationForm, toSettings } from './form';

const detail = { document: applicationDetail, fragment: 'ApplicationFields' };

/** The form for an application's settings; it warns before a change that ends existing grants. */
export function ApplicationEdit(): ReactNode {
  const { account, session } = useAccount();
  const { application: number } = useParams({ from: '/accounts/$account/applications/$application/edit' });
  const id = idOf('OAuthApplication', number, session.person.id);
  const { described, query } = useTyped('oauth_application', detail, { id }, account);
  const application = query.data?.data.oauthApplication;
  const crumbs = [
    { label: 'Applications', to: `/accounts/${account}/applications` },
    { label: application?.name ?? number, to: `/accounts/${account}/applications/${number}` },
  ];
  return (
    <Page title={application ? `Edit ${application.name}` : 'Edit application'} crumbs={crumbs}>
      <Fetched query={described}>
        {(type) => (
          <Fetched query={query}>
            {() =>
              application ? (
                <EditForm type={type} application={application} number={number} />
              ) : (
                <NotThere what={`application ${number}`} list="applications" all="all applications" />
              )
            }
          </Fetched>
        )}
      </Fetched>
    </Page>
  );
}

function EditForm({
  type,
  application,
  number,
}: {
  readonly type: TypeDescription;
  readonly application: Application;
  readonly number: string;
}): ReactNode {
  const { account } = useAccount();
  const navigate = useNavigate();
  // A snapshot from when the form was opened: only changed fields are sent, so concurrent changes to others are kept.
  const [before] = useState(() => toApplicationForm(type, application));
  const [form, setForm, dropDraft] = useDraft(`application ${number}`, before);
  const [errors, setErrors] = useState<readonly InputError[]>([]);
  const update = useWrite(applicationUpdate, account);
  const leave = (): void => {
    dropDraft();
    void navigate({ to: '/accounts/$account/applications/$application', params: { account, application: number } });
  };
  const submit = (): void => {
    if (update.isPending) return;
    const said = toSettings(type, form, false);
    if ('errors' in said) return setErrors(said.errors);
    const changes = changesOf(type, form, before, said.settings);
    if (Object.keys(changes).length === 0) return leave();
    update.mutate(
      { input: { id: application.id, ...changes } },
      {
        onSuccess: ({ data: { oauthApplicationUpdate: result } }) => {
          if (!result?.oauthApplication) return setErrors(toErrors(type, result?.errors ?? [], form.settings));
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
      <ApplicationFields type={type} form={form} onChange={setForm} errors={errors} />
      {isRevoking && (
        <Banner tone="warn" title="Changing the scopes revokes all authorizations.">
          <p>Its tokens stop working at once, and people have to authorize it again.</p>
        </Banner>
      )}
      <FormActions verb={isRevoking ? 'Save and revoke' : 'Save'} isPending={update.isPending} onCancel={leave} />
    </Form>
  );
}
