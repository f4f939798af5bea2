import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { onSignInAgain, signInAddress } from '../api/renewal';
import { Button, buttonClass } from '../design/button';
import { Dialog } from '../design/dialog';

/** Some changes take a sign-in that is younger than the present one. */
export function SignInAgain({ account }: { readonly account: string }): ReactNode {
  const [maxAge, setMaxAge] = useState<number>();
  useEffect(() => onSignInAgain(setMaxAge), []);
  const close = (): void => setMaxAge(undefined);
  return (
    <Dialog title="Sign in again" isOpen={maxAge !== undefined} onClose={close}>
      <p>
        This changes what gives access, which takes a recent sign-in. Nothing was changed yet, and what you have typed
        is kept: sign in, then send it again.
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

/** To a sign-in that comes back to where the page is by then: what was typed last may come to the address a moment later. */
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
