import './applications.css';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { explain } from '../api/errors';
import { idOf } from '../api/number';
import { useWrite } from '../api/queries';
import { useType, useTyped } from '../api/types';
import { buttonClass } from '../design/button';
import { ConfirmDialog } from '../design/dialog';
import { ActionMenu } from '../design/menu';
import { Banner, Facts, Panel } from '../design/panel';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { Fetched, Marked } from '../frame/fetched';
import { NotThere } from '../frame/not-there';
import { Page } from '../frame/page';
import { useShortcuts } from '../frame/shortcuts';
import { otherFacts, valueWords } from '../parts/settings';
import { StateBadge } from './application-list';
import { AuthorizationPanel } from './authorization-panel';
import { CallPanel } from './call-panel';
import { ClientTokens } from './client-tokens';
import { DeleteDialog } from './delete-dialog';
import { applicationDetail, applicationUpdate } from './documents';
import type { Application } from './documents';
import { takesPeople } from './form';
import { scopeSentences } from './scopes';

const detail = { document: applicationDetail, fragment: 'ApplicationFields' };

/** One application: its client tokens, its calls to copy, and its scopes. */
export function ApplicationPage(): ReactNode {
  const { account, session } = useAccount();
  const { application: number } = useParams({ from: '/accounts/$account/applications/$application' });
  const id = idOf('OAuthApplication', number, session.person.id);
  const { query } = useTyped('oauth_application', detail, { id }, account);
  const application = query.data?.data.oauthApplication;
  if (!application)
    return (
      <Page
        title={`Application ${number}`}
        crumbs={[{ label: 'Applications', to: `/accounts/${account}/applications` }]}
      >
        <Fetched query={query}>
          {() => <NotThere what={`application ${number}`} list="applications" all="all applications" />}
        </Fetched>
      </Page>
    );
  return <Shown application={application} number={number} error={query.error} />;
}

function Shown({
  application,
  number,
  error,
}: {
  readonly application: Application;
  readonly number: string;
  readonly error: Error | null;
}): ReactNode {
  const { account } = useAccount();
  const navigate = useNavigate();
  const [isDisabling, setDisabling] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const update = useWrite(applicationUpdate, account);
  const edit = {
    to: '/accounts/$account/applications/$application/edit',
    params: { account, application: number },
  } as const;
  useShortcuts({ e: () => void navigate(edit) });
  const setDisabled = (disabled: boolean): void =>
    update.mutate(
      { input: { id: application.id, disabled } },
      {
        onSuccess: () => {
          showToast(`${application.name} is ${disabled ? 'disabled' : 'enabled'}.`);
          setDisabling(false);
        },
        onError: (refused) => !disabled && showToast(explain(refused), 'bad'),
      },
    );
  return (
    <Page
      title={application.name}
      crumbs={[{ label: 'Applications', to: `/accounts/${account}/applications` }]}
      badge={<StateBadge application={application} />}
      lead={application.description !== '' ? application.description : undefined}
      actions={
        <>
          <Link className={buttonClass()} {...edit}>
            Edit
          </Link>
          <ActionMenu
            label={`Actions for ${application.name}`}
            actions={[
              application.disabled
                ? { id: 'enable', label: 'Enable', onAction: () => setDisabled(false) }
                : { id: 'disable', label: 'Disable…', isDanger: true, onAction: () => setDisabling(true) },
              { id: 'delete', label: 'Delete…', isDanger: true, onAction: () => setDeleting(true) },
            ]}
          />
        </>
      }
    >
      <Marked error={error}>
        {application.disabled && (
          <Banner tone="bad" title="Disabled: it gets no tokens, and its old ones no longer work.">
            <p>After you enable it, people have to authorize it again.</p>
          </Banner>
        )}
        <div className="columns">
          <div className="stack">
            <ClientTokens application={application} />
            <CallPanel application={application} />
            {takesPeople(application) && <AuthorizationPanel application={application} />}
          </div>
          <div className="stack">
            <MayPanel application={application} />
            <SettingsPanel application={application} />
          </div>
        </div>
      </Marked>
      {isDeleting && (
        <DeleteDialog
          application={application}
          onClose={() => setDeleting(false)}
          onGone={() => void navigate({ to: '/accounts/$account/applications', params: { account } })}
        />
      )}
      <ConfirmDialog
        title={`Disable ${application.name}?`}
        isOpen={isDisabling}
        onClose={() => setDisabling(false)}
        verb="Disable"
        isDanger
        onConfirm={() => setDisabled(true)}
        isPending={update.isPending}
        error={update.error === null ? undefined : explain(update.error)}
      >
        <p>This revokes its tokens and all authorizations at once.</p>
      </ConfirmDialog>
    </Page>
  );
}

function MayPanel({ application: { scopes } }: { readonly application: Application }): ReactNode {
  const denied = scopeSentences(scopes, 'deny');
  return (
    <Panel title="Scopes">
      <ul className="sentence-list">
        {scopeSentences(scopes, 'allow').map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {denied.map((sentence) => (
          <li key={sentence}>
            <strong>Never:</strong> {sentence.charAt(0).toLowerCase() + sentence.slice(1)}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The settings that the page shows by itself. */
const shown =
  'name description homepage grantTypes redirectUris pkceRequired actsAsPerson disabled ssoConfiguration audience scopes jwksUri jwks privateKeyJwtRequired'.split(
    ' ',
  );

function SettingsPanel({ application }: { readonly application: Application }): ReactNode {
  const type = useType('oauth_application', useAccount().account).data;
  const grants = type?.fields.find(({ name }) => name === 'grantTypes');
  return (
    <Panel title="Settings">
      <Facts
        facts={[
          ['Grant types', grants ? valueWords(grants, application.grantTypes) : application.grantTypes.join(', ')],
          [
            'Redirect URIs',
            takesPeople(application) ? application.redirectUris.map((uri) => <div key={uri}>{uri}</div>) : null,
          ],
          ['PKCE', takesPeople(application) ? (application.pkceRequired ? 'required' : 'optional') : null],
          [
            'Acts as',
            application.actsAsPerson && `${application.actsAsPerson.name}, ${application.actsAsPerson.primaryEmail}`,
          ],
          ['Identity provider', application.ssoConfiguration?.name],
          ['Audience', application.audience],
          [
            'Homepage',
            application.homepage && (
              <a href={application.homepage} rel="noreferrer">
                {application.homepage}
              </a>
            ),
          ],
          ['JWKS URI', application.jwksUri],
          ['JWKS', application.jwks !== null ? 'registered' : null],
          ...otherFacts(type, application, shown),
          ['Secrets', application.privateKeyJwtRequired ? 'refused: it signs with its keys' : null],
        ]}
      />
    </Panel>
  );
}
