import './home.css';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isAdministrator, isSpecialist } from '../api/roles';
import { buttonClass } from '../design/button';
import { useAccount } from '../frame/account';
import { Page } from '../frame/page';
import { useShortcuts } from '../frame/shortcuts';
import { AskForm } from './ask-form';
import { Desk } from './desk';
import { OwnRequests } from './own-requests';
import { Platform } from './platform';
import { TeamCounts } from './team-counts';

/** The overview by role: the platform's health, the desk's work, or the person's own requests. */
export function Home(): ReactNode {
  const { session } = useAccount();
  const [firstName] = session.person.name.split(' ');
  return (
    <Page
      title={`Hello, ${firstName ?? session.person.name}`}
      lead={`You are in ${session.account.name}.`}
      actions={(isAdministrator(session) || isSpecialist(session)) && <NewRequest />}
    >
      {isAdministrator(session) && <Platform />}
      {isSpecialist(session) && (
        <>
          <Desk />
          <TeamCounts />
        </>
      )}
      {!isAdministrator(session) && !isSpecialist(session) && (
        <>
          <AskForm />
          <OwnRequests />
        </>
      )}
    </Page>
  );
}

/** The others have a form on this page. */
function NewRequest(): ReactNode {
  const { account } = useAccount();
  const navigate = useNavigate();
  const params = { account, kind: 'requests' };
  useShortcuts({ n: () => void navigate({ to: '/accounts/$account/$kind/new', params }) });
  return (
    <Link className={buttonClass()} to="/accounts/$account/$kind/new" params={params}>
      New request
    </Link>
  );
}
