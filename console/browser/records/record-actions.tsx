import type { ReactNode } from 'react';
import { numberOf } from '../api/number';
import { isStaff } from '../api/roles';
import { Button } from '../design/button';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { failedCall } from '../frame/failed-call';
import { useShortcuts } from '../frame/shortcuts';
import { takingOver } from './editing';
import { AsideMenu } from './set-aside';
import { useRights } from './shown-record';
import type { ShownRecord } from './shown-record';
import { useChange } from './use-record';
import { ReadsNotices, WatchMenu, levels, levelsOfTeams } from './watch-menu';

/** What one may do with a record as a whole, with the keys for it. */
export function RecordActions(shown: ShownRecord): ReactNode {
  const { kind, number, known, isInTrash, type } = shown;
  const takesWork = type?.takesWork === true;
  const { session, account } = useAccount();
  const isWatched =
    (kind.hasNotes || (takesWork && isStaff(session))) && !isInTrash && known.data.account.id === account;
  const may = useRights(shown);
  const takeOver = useTakeOver(shown);
  useShortcuts({
    ...(may.edit && { s: () => openField('status'), m: () => openField('member'), t: () => openField('team') }),
    ...(may.edit && takeOver && { a: () => void takeOver() }),
  });
  return (
    <>
      {may.edit && takeOver && (
        <Button kind="primary" onPress={() => void takeOver()}>
          Take over
          <kbd aria-hidden data-keys="a" />
        </Button>
      )}
      {isWatched && <WatchMenu kind={kind} id={known.data.nodeID} levels={takesWork ? levelsOfTeams : levels} />}
      {kind.hasHistory && <ReadsNotices kind={kind} number={number} />}
      {may.setAside && <AsideMenu kind={kind} number={number} />}
    </>
  );
}

/** Presses the button by which a field is changed. */
const openField = (name: string): void => document.querySelector<HTMLElement>(`#field-${name} button`)?.click();

/** Takes over the record; undefined where there is nothing to take over. */
function useTakeOver({ known, kind, number, type }: ShownRecord): (() => Promise<void>) | undefined {
  const { session } = useAccount();
  const send = useChange({ kind, number });
  const change = type && takingOver(type, known.data, Number(numberOf(session.person.id)));
  if (!change) return undefined;
  return async () => {
    try {
      const { kind: outcome } = await send(known, change);
      // The button is gone with what it was for; the heading takes the focus instead of losing it.
      document.querySelector('h1')?.focus();
      if (outcome === 'written') showToast('It is yours now.');
      else showToast('Not taken over: somebody has just changed its member or status. Look again.', 'bad');
    } catch (error) {
      showToast(`Not taken over: ${failedCall(error).message}`, 'bad');
    }
  };
}
