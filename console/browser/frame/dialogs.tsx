import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { onSession, renewSession } from '../api/renewal';
import { Button } from '../design/button';
import { Dialog } from '../design/dialog';
import { useAccount } from './account';
import { JumpDialog } from './jump';
import { KeysDialog } from './keys';
import { SignInAgain, SignInLink } from './sign-in-again';

/** A dialog that the frame opens. */
export type FrameDialog = 'jump' | 'keys';

/** The dialogs that may be over any screen. */
export function Dialogs({
  open,
  onClose,
}: {
  readonly open: FrameDialog | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const { account, session } = useAccount();
  return (
    <>
      <SignedOut account={account} expiresAt={session.expiresAt} />
      <SignInAgain account={account} />
      <JumpDialog isOpen={open === 'jump'} onClose={onClose} />
      <KeysDialog isOpen={open === 'keys'} onClose={onClose} />
    </>
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
