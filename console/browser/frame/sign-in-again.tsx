import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { onSignInAgain, signInAddress } from '../api/renewal';
import { Button, buttonClass } from '../design/button';
import { Dialog } from '../design/dialog';

/** The dialog for changes that need a more recent sign-in (step-up). */
export function SignInAgain({ account }: { readonly account: string }): ReactNode {
  const [maxAge, setMaxAge] = useState<number>();
  useEffect(() => onSignInAgain(setMaxAge), []);
  const close = (): void => setMaxAge(undefined);
  return (
    <Dialog title="Sign in again" isOpen={maxAge !== undefined} onClose={close}>
      <p>
        This change needs a recent sign-in. Nothing has changed yet, and your input is kept: sign in, then try again.
      </p>
      <div className="form-actions">
        <SignInLink account={account} maxAge={maxAge}>
          Sign in again
        </SignInLink>
        <Button onPress={close}>Cancel</Button>
      </div>
    </Dialog>
  );
}

/**
 * A link to a sign-in that returns to the page's address at the time of the press, since typed text reaches the address
 * with a delay.
 */
export function SignInLink({
  account,
  maxAge,
  children,
}: {
  readonly account: string;
  readonly maxAge?: number | undefined;
  readonly children: string;
}): ReactNode {
  return (
    <a
      className={buttonClass('primary')}
      href={signInAddress(account, maxAge)}
      onClick={(event) => {
        event.currentTarget.href = signInAddress(account, maxAge);
      }}
    >
      {children}
    </a>
  );
}
