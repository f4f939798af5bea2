import './frame.css';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { ChevronDown, CircleHelp, Menu, Search, UserRound } from 'lucide-react';
import { Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useBudget } from '../api/budget';
import { hasNewerBuild, onNewerBuild } from '../api/request';
import { isStaff } from '../api/roles';
import { useSession } from '../api/session';
import type { Session } from '../api/session';
import { Button, IconButton } from '../design/button';
import { formatNumber } from '../design/formats';
import { SkeletonRows } from '../design/panel';
import { Toasts } from '../design/toast';
import { AccountProvider } from './account';
import type { FrameDialog } from './dialogs';
import { Initials, Mark } from './marks';
import { lazyRouteComponent } from './lazy-screen';
import { screensOf } from './screens';
import { rememberKeys, useShortcuts } from './shortcuts';

// They are not needed for the first look at a screen, and load while it fetches its data.
const Dialogs = lazyRouteComponent(() => import('./dialogs'), 'Dialogs');
const Bell = lazyRouteComponent(() => import('./bell'), 'Bell');
const AccountMenu = lazyRouteComponent(() => import('./menus'), 'AccountMenu');
const PersonMenu = lazyRouteComponent(() => import('./menus'), 'PersonMenu');

/** Everything around a screen: the person, the account, and the navigation. */
export function Frame({ account, children }: { readonly account: string; readonly children: ReactNode }): ReactNode {
  const session = useSession(account);
  const [dialog, setDialog] = useState<FrameDialog>();
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
      setDialog('jump');
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  useShortcuts({
    '?': () => setDialog('keys'),
    '/': () =>
      (document.querySelector<HTMLElement>('input[type=search]') ?? { focus: () => setDialog('jump') }).focus(),
    ...Object.fromEntries(
      screensOf(session).map(({ key, path }) => [
        `g ${key}`,
        () => void navigate({ to: `/accounts/${account}${path}` }),
      ]),
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
          <Suspense fallback={<AccountMark session={session} />}>
            <AccountMenu session={session} />
          </Suspense>
          <div className="frame-end">
            <button type="button" className="jump-button" onClick={() => setDialog('jump')}>
              <Search aria-hidden size={16} strokeWidth={1.75} />
              <span>Search or jump</span>
              <kbd aria-hidden data-keys={isMac ? '⌘K' : 'Ctrl K'} />
            </button>
            <Suspense fallback={<span className="button-icon" />}>
              <Bell account={account} />
            </Suspense>
            <IconButton label="Shortcuts and help" onPress={() => setDialog('keys')}>
              <CircleHelp aria-hidden size={20} strokeWidth={1.75} />
            </IconButton>
            <Suspense fallback={<PersonMark session={session} />}>
              <PersonMenu session={session} />
            </Suspense>
          </div>
        </header>
        <nav className="frame-nav" aria-label="Console" data-open={isNavigating || undefined}>
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
      <Suspense>
        <Dialogs open={dialog} onClose={() => setDialog(undefined)} />
      </Suspense>
      <Toasts />
    </AccountProvider>
  );
}

const addressOf = (account: string, path: string): string => `/accounts/${account}${path}`;

const isMac = navigator.userAgent.includes('Mac');

function Navigation({ session, account }: { readonly session: Session; readonly account: string }): ReactNode {
  const shown = screensOf(session);
  const groups = (['top', 'Records', 'Build'] as const).filter((one) => shown.some(({ group }) => group === one));
  const { points } = useBudget();
  return (
    <>
      {groups.map((group) => (
        <div key={group}>
          {group !== 'top' && <p id={`places-${group}`}>{group}</p>}
          <ul aria-labelledby={group !== 'top' ? `places-${group}` : undefined}>
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
      {points && isStaff(session) && (
        <p className="meta number" style={{ padding: 'var(--space-4) var(--space-2) 0' }}>
          {formatNumber(points.remaining)} of {formatNumber(points.limit)} points left this hour
        </p>
      )}
    </>
  );
}

/** What the button of a menu looks like until the menu is loaded. */
const AccountMark = ({ session: { account } }: { readonly session: Session }): ReactNode => (
  <span className="account-button">
    <Mark />
    <span>{account.name}</span>
    <ChevronDown aria-hidden size={16} />
  </span>
);
const PersonMark = ({ session: { person } }: { readonly session: Session }): ReactNode => (
  <span className="button-icon">
    <Initials name={person.name} />
  </span>
);

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
