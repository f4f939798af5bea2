import type { ReactNode } from 'react';
import { explain } from '../api/errors';
import { useWrite } from '../api/queries';
import { ConfirmDialog } from '../design/dialog';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { applicationDelete } from './documents';
import type { Application } from './documents';

/** Deletion is final, so the name has to be typed. */
export function DeleteDialog({
  application,
  onClose,
  onGone,
}: {
  readonly application: Application;
  readonly onClose: () => void;
  readonly onGone: () => void;
}): ReactNode {
  const { account } = useAccount();
  const remove = useWrite(applicationDelete, account);
  const [refused] = remove.data?.data.oauthApplicationDelete?.errors ?? [];
  const confirm = (): void =>
    remove.mutate(
      { input: { id: application.id } },
      {
        onSuccess: ({ data: { oauthApplicationDelete: result } }) => {
          if (!result || result.errors.length > 0) return;
          showToast(`${application.name} is deleted.`);
          onGone();
        },
      },
    );
  return (
    <ConfirmDialog
      title={`Delete ${application.name}?`}
      isOpen
      onClose={onClose}
      verb="Delete"
      isDanger
      typedName={application.name}
      onConfirm={confirm}
      isPending={remove.isPending}
      error={refused?.message ?? (remove.error === null ? undefined : explain(remove.error))}
    >
      <p>This deletes its client ids, tokens and authorizations at once. It cannot be undone.</p>
    </ConfirmDialog>
  );
}
