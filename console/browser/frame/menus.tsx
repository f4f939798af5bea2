import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { request } from '../api/request';
import { rolesInWords } from '../api/session';
import type { Session } from '../api/session';
import { ActionMenu } from '../design/menu';
import { density, theme } from './look';
import { Initials, Mark } from './marks';

/** The menu of the person's accounts. */
export function AccountMenu({ session }: { readonly session: Session }): ReactNode {
  const navigate = useNavigate();
  const { account, accounts } = session;
  const actions = accounts
    .filter(({ disabled }) => !disabled)
    .map(({ accountID, name }) => ({
      id: accountID,
      label: name,
      note: accountID === account.accountID ? `${accountID} · current` : accountID,
      onAction: () => void navigate({ to: `/accounts/${accountID}` }),
    }));
  return (
    <ActionMenu label={`Account ${account.name}`} actions={actions} className="account-button">
      <Mark />
      <span>{account.name}</span>
      <ChevronDown aria-hidden size={16} />
    </ActionMenu>
  );
}

/** The menu of the person: profile, look, and the end of the session. */
export function PersonMenu({ session }: { readonly session: Session }): ReactNode {
  const { person, account, roles } = session;
  const chosenTheme = theme.useChosen();
  const chosenDensity = density.useChosen();
  const client = useQueryClient();
  const navigate = useNavigate();
  const signOut = async (): Promise<void> => {
    await request('/console/sign-out', { method: 'POST', account: account.accountID, isRead: false }).catch(
      () => undefined,
    );
    client.clear();
    sessionStorage.clear();
    await endSignIn();
    location.assign(`/accounts/${account.accountID}`);
  };
  return (
    <ActionMenu
      label={`${person.name}, ${rolesInWords(roles)}`}
      className="button-icon"
      actions={[
        {
          id: 'profile',
          label: person.name,
          note: `${person.primaryEmail} · profile, tokens, security`,
          onAction: () => location.assign(`/oauth/profile?return=${encodeURIComponent(location.pathname)}`),
        },
        {
          id: 'notices',
          label: 'Notices and mails',
          onAction: () => void navigate({ to: `/accounts/${account.accountID}/notices/preferences` }),
        },
        ...theme.values.map((choice) => ({
          id: choice,
          label: { system: 'System theme', light: 'Light', dark: 'Dark' }[choice],
          note: choice === chosenTheme ? 'in use' : undefined,
          onAction: () => theme.choose(choice),
        })),
        ...density.values.map((choice) => ({
          id: choice,
          label: { comfortable: 'Comfortable rows', compact: 'Compact rows' }[choice],
          note: choice === chosenDensity ? 'in use' : undefined,
          onAction: () => density.choose(choice),
        })),
        { id: 'sign-out', label: 'Sign out', onAction: () => void signOut() },
      ]}
    >
      <Initials name={person.name} />
    </ActionMenu>
  );
}

/** Also ends the sign-in at the authorization server, as that server's own page does. */
async function endSignIn(): Promise<void> {
  const answer = await fetch('/oauth/session').catch(() => undefined);
  if (answer?.ok !== true) return;
  const { form_token: formToken } = (await answer.json()) as { readonly form_token: string };
  await fetch('/oauth/sign-out', {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ form_token: formToken }),
  }).catch(() => undefined);
}
