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
        You are about to change what gives access, and it is a while since you signed in. Nothing was changed. What you
        have typed is kept: sign in again, and send it once more.
      </p>
      <div className="form-actions">
        <a className={buttonClass('primary')} href={signInAddress(account, maxAge)}>
          Sign in again
        </a>
        <Button onPress={close}>Cancel</Button>
      </div>
    </Dialog>
  );
}
