import { useState } from 'react';
import type { ReactNode } from 'react';
import { explain } from '../api/errors';
import { Button } from '../design/button';
import { formatMoment } from '../design/formats';
import { ActionMenu } from '../design/menu';
import { Banner } from '../design/panel';
import { showToast } from '../design/toast';
import type { Kind } from './kinds';
import { useMove } from './use-record';
import type { Move } from './use-record';
import type { RestRecord } from './values';

interface Properties {
  readonly kind: Kind;
  readonly number: string;
}

/** Archives the record or moves it to the trash; both are undone by restoring it. */
export function AsideMenu({ kind, number }: Properties): ReactNode {
  const move = useMove({ kind, number });
  const aside = async (to: 'archive' | 'trash', done: string): Promise<void> => {
    try {
      await move(to);
      showToast(done, 'good', () => void restore(move));
    } catch (error) {
      showToast(`Not done: ${explain(error)}`, 'bad');
    }
  };
  return (
    <ActionMenu
      label={`More for this ${kind.noun}`}
      actions={[
        {
          id: 'archive',
          label: 'Archive',
          note: 'Out of lists, and not changed; can be restored',
          onAction: () => void aside('archive', 'Archived.'),
        },
        {
          id: 'trash',
          label: 'Move to trash',
          note: 'Deleted for good after 30 days, unless it is restored',
          isDanger: true,
          onAction: () => void aside('trash', 'Moved to the trash.'),
        },
      ]}
    />
  );
}

async function restore(move: Move): Promise<void> {
  try {
    await move('restore');
    showToast('Restored.');
  } catch (error) {
    showToast(`Not restored: ${explain(error)}`, 'bad');
  }
}

const keptDays = 30;

/** Says that the record is archived or in the trash; `mayRestore` for those who keep the account. */
export function AsideBanner({
  record,
  kind,
  number,
  isInTrash,
  mayRestore,
}: Properties & {
  readonly record: RestRecord;
  readonly isInTrash: boolean;
  readonly mayRestore: boolean;
}): ReactNode {
  const move = useMove({ kind, number });
  const [isPending, setPending] = useState(false);
  // Nothing changes in the trash, so its last change was the move there.
  const end = new Date(new Date(String(record['updated_at'])).getTime() + keptDays * 86_400_000);
  return (
    <Banner
      tone={isInTrash ? 'warn' : 'quiet'}
      title={
        isInTrash
          ? `In the trash: it will be deleted for good on ${formatMoment(end, 'day')}`
          : 'Archived: it is in no list, and cannot be changed'
      }
      actions={
        mayRestore && (
          <Button
            isPending={isPending}
            onPress={() => {
              setPending(true);
              // The button disappears with the banner; the heading takes the focus instead of losing it.
              void restore(move).finally(() => {
                setPending(false);
                document.querySelector('h1')?.focus();
              });
            }}
          >
            Restore
          </Button>
        )
      }
    >
      {!mayRestore && <p>An account administrator can restore it.</p>}
    </Banner>
  );
}
