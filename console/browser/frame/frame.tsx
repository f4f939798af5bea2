import './frame.css';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { ChevronDown, CircleHelp, Menu, Search, UserRound } from 'lucide-react';
import { Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useBudget } from '../api/budget';
import { onSession, renewSession } from '../api/renewal';
import { hasNewerBuild, onNewerBuild, request } from '../api/request';
import { isAdministrator, rolesInWords, useSession } from '../api/session';
import type { Session } from '../api/session';
import { Button, IconButton } from '../design/button';
import { Dialog } from '../design/dialog';
import { formatNumber } from '../design/formats';
import { ActionMenu } from '../design/menu';
import { SkeletonRows } from '../design/panel';
import { Toasts } from '../design/toast';
import { AccountProvider } from './account';
import { JumpDialog } from './jump';
import { KeysDialog } from './keys';
import { density, theme } from './look';
import { screens } from './screens';
import { rememberKeys, useShortcuts } from './shortcuts';
import { SignInAgain, SignInLink } from './sign-in-again';

/** Everything around a screen: the person, the account, and the navigation. */
export function Frame({ account, children }: { readonly account: string; readonly children: ReactNode }): ReactNode {
  const session = useSession(account);
  const [isJumping, setJumping] = useState(false);
  const [isShowingKeys, setShowingKeys] = useState(false);
  const [isNavigating, setNavigating] = useState(false);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const context = useMemo(() => ({ account, session }), [account, session]);
  const main = useRef<HTMLElement>(null);
  useEffect(() => setNavigating(false), [pathname]);
  useEffect(rememberKeys, []);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setJumping(true);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  useShortcuts({
    '?': () => setShowingKeys(true),
    '/': () => (document.querySelector<HTMLElement>('input[type=search]') ?? { focus: () => setJumping(true) }).focus(),
    ...Object.fromEntries(
      screens.map(({ key, path }) => [`g ${key}`, () => void navigate({ to: `/accounts/${account}${path}` })]),
    ),
  });
  return (
    <AccountProvider value={context}>
      <a className="skip" href="#main" onClick={() => main.current?.focus()}>
        Skip to content
      </a>
      <div className="frame">
        <header className="frame-bar">
          <span className="nav-toggle">
            <IconButton
              label={isNavigating ? 'Close navigation' : 'Open navigation'}
              onPress={() => setNavigating(!isNavigating)}
            >
              <Menu aria-hidden size={20} strokeWidth={1.75} />
            </IconButton>
          </span>
          <AccountMenu session={session} />
          <div className="frame-end">
            <button type="button" className="jump-button" onClick={() => setJumping(true)}>
              <Search aria-hidden size={16} strokeWidth={1.75} />
              <span>Search or jump</span>
              <kbd aria-hidden data-keys={isMac ? '⌘K' : 'Ctrl K'} />
            </button>
            <IconButton label="Shortcuts and help" onPress={() => setShowingKeys(true)}>
              <CircleHelp aria-hidden size={20} strokeWidth={1.75} />
            </IconButton>
            <PersonMenu session={session} />
          </div>
        </header>
        <nav className="frame-nav" aria-label="Console" {...(isNavigating && { 'data-open': true })}>
          <Navigation session={session} account={account} />
        </nav>
        <main id="main" className="frame-main" tabIndex={-1} ref={main}>
          <NewBuild />
          <Suspense
            fallback={
              <div className="page">
                <SkeletonRows rows={6} />
              </div>
            }
          >
            {children}
          </Suspense>
        </main>
      </div>
      <SignedOut account={account} expiresAt={session.expiresAt} />
      <SignInAgain account={account} />
      <JumpDialog isOpen={isJumping} onClose={() => setJumping(false)} />
      <KeysDialog isOpen={isShowingKeys} onClose={() => setShowingKeys(false)} />
      <Toasts />
    </AccountProvider>
  );
}

const addressOf = (account: string, path: string): string => `/accounts/${account}${path}`;

const isMac = navigator.userAgent.includes('Mac');

function Navigation({ session, account }: { readonly session: Session; readonly account: string }): ReactNode {
  const shown = screens.filter(({ isForAdministrators }) => !isForAdministrators || isAdministrator(session));
  const points = useBudget().points;
  return (
    <>
      {(['top', 'Build'] as const).map((group) => (
        <div key={group}>
          {group !== 'top' && <p id={`places-${group}`}>{group}</p>}
          <ul {...(group !== 'top' && { 'aria-labelledby': `places-${group}` })}>
            {shown
              .filter((screen) => screen.group === group)
              .map(({ label, path, icon: Icon }) => (
                <li key={path}>
                  <Link
                    to={addressOf(account, path)}
                    activeOptions={{ exact: path === '', includeSearch: false, includeHash: false }}
                  >
                    <Icon aria-hidden size={16} strokeWidth={1.75} />
                    {label}
                  </Link>
                </li>
              ))}
          </ul>
        </div>
      ))}
      <p id="places-you">You</p>
      <ul aria-labelledby="places-you">
        <li>
          <a href={`/oauth/profile?return=${encodeURIComponent(`/accounts/${account}`)}`}>
            <UserRound aria-hidden size={16} strokeWidth={1.75} />
            Profile and tokens
          </a>
        </li>
      </ul>
      {points && (
        <p className="meta number" style={{ padding: 'var(--space-4) var(--space-2) 0' }}>
          {formatNumber(points.remaining)} of {formatNumber(points.limit)} points left this hour
        </p>
      )}
    </>
  );
}

function AccountMenu({ session }: { readonly session: Session }): ReactNode {
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

/** The logo of the sign-in pages. */
const Mark = (): ReactNode => (
  <svg aria-hidden width="24" height="24" viewBox="0 0 24 24" fill="none" style={{ color: 'var(--accent)' }}>
    <rect width="24" height="24" rx="6" fill="currentColor" />
    <path
      d="M7 12.5l3.2 3.2L17 9"
      stroke="var(--on-accent)"
      strokeWidth="2.2"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);

function PersonMenu({ session }: { readonly session: Session }): ReactNode {
  const { person, account, roles } = session;
  const chosenTheme = theme.useChosen();
  const chosenDensity = density.useChosen();
  const client = useQueryClient();
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
        ...theme.values.map((choice) => ({
          id: choice,
          label: { system: 'System theme', light: 'Light', dark: 'Dark' }[choice],
          ...(choice === chosenTheme && { note: 'in use' }),
          onAction: () => theme.choose(choice),
        })),
        ...density.values.map((choice) => ({
          id: choice,
          label: { comfortable: 'Comfortable rows', compact: 'Compact rows' }[choice],
          ...(choice === chosenDensity && { note: 'in use' }),
          onAction: () => density.choose(choice),
        })),
        { id: 'sign-out', label: 'Sign out', onAction: () => void signOut() },
      ]}
    >
      <span className="initials" aria-hidden data-initials={initialsOf(person.name)} />
    </ActionMenu>
  );
}

const initialsOf = (name: string): string =>
  name
    .split(' ')
    .map(([first]) => first)
    .join('')
    .slice(0, 2);

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

function NewBuild(): ReactNode {
  const isNewer = useSyncExternalStore(onNewerBuild, hasNewerBuild);
  if (!isNewer) return null;
  return (
    <div className="new-build" role="status">
      A new version is available.
      <Button onPress={() => location.reload()}>Reload</Button>
    </div>
  );
}

/** Renews the session shortly before it expires, and shows when it has ended; the page keeps its state. */
function SignedOut({ account, expiresAt }: { readonly account: string; readonly expiresAt: string }): ReactNode {
  const [end, setEnd] = useState<string | undefined>(expiresAt);
  useEffect(() => onSession(setEnd), []);
  useEffect(() => {
    if (end === undefined) return;
    const timer = setTimeout(
      () => void renewSession(account),
      Math.max(new Date(end).getTime() - Date.now() - 300_000, 10_000),
    );
    return () => clearTimeout(timer);
  }, [end, account]);
  return (
    <Dialog title="You are signed out" isOpen={end === undefined} onClose={() => undefined} isRequired>
      <p>Your input is kept. Sign in again to continue.</p>
      <div className="form-actions">
        <SignInLink account={account}>Sign in</SignInLink>
        <Button onPress={() => void renewSession(account)}>I signed in elsewhere</Button>
      </div>
    </Dialog>
  );
}
