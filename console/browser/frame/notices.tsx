import './frame.css';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { explain, failureOf } from '../api/errors';
import { signInAddress } from '../api/renewal';
import { buttonClass } from '../design/button';

/** In place of the whole frame: signed out, wrong account, or the platform is unreachable. */
export function AccountFailure({ error }: ErrorComponentProps): ReactNode {
  const { kind } = failureOf(error);
  const account = location.pathname.split('/')[2];
  useEffect(() => {
    if (kind === 'signed_out') location.replace(signInAddress(account));
  }, [kind, account]);
  if (kind === 'signed_out') return <Notice title="Opening the sign-in page …" />;
  if (kind === 'wrong_account')
    return (
      <Notice title={`You have no role in ${account ?? 'this account'}`}>
        <p>Its administrator can give you one. You can also sign in as somebody else.</p>
        <p className="row">
          <a className={buttonClass('primary')} href="/">
            Go to your account
          </a>
          <a className={buttonClass()} href="/oauth/profile">
            Your profile
          </a>
        </p>
      </Notice>
    );
  if (isStaleChunk(error)) return <MissingPart />;
  return (
    <Notice title="This page could not be loaded">
      <p>{explain(error)}</p>
      <LinkButton to={location.href}>Try again</LinkButton>
    </Notice>
  );
}

/** Shown until the session is known; visible only when that takes long. */
export const Starting = (): ReactNode => (
  <main className="notice-page starting">
    <div role="status" aria-label="Loading">
      <h1>Loading …</h1>
    </div>
  </main>
);

/** Whether a lazy chunk failed to load, because a newer release no longer has it. */
export const isStaleChunk = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);

/** The router has already reloaded once; a second reload could loop. */
const MissingPart = (): ReactNode => (
  <Notice title="A part of this page is missing">
    <p>A new version may be rolling out. Try again in a minute.</p>
    <LinkButton to={location.href}>Try again</LinkButton>
  </Notice>
);

export const NoSuchPage = (): ReactNode => (
  <Notice title="Page not found">
    <p>Check the address for typos.</p>
    <LinkButton to="/">Go home</LinkButton>
  </Notice>
);

const LinkButton = ({ to, children }: { readonly to: string; readonly children: string }): ReactNode => (
  <p>
    <a className={buttonClass('primary')} href={to}>
      {children}
    </a>
  </p>
);

export function Notice({ title, children }: { readonly title: string; readonly children?: ReactNode }): ReactNode {
  useEffect(() => {
    document.title = `${title} · Service Management`;
  }, [title]);
  return (
    <main className="notice-page panel stack">
      <h1>{title}</h1>
      {children}
    </main>
  );
}
