import { useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronDown, Star } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { checkAccepted, explain } from '../api/errors';
import { useDocument, useWrite } from '../api/queries';
import { isStaff } from '../api/roles';
import { ActionMenu } from '../design/menu';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { KeptDialog, sharedWords } from './kept-dialog';
import type { Kept } from './kept-dialog';
import { savedListCreate, savedListDelete, savedListUpdate, savedLists } from './kept-documents';
import type { Kind } from './kinds';
import { searchIn, searchText } from './list-search';
import type { ListSearch } from './list-search';

/** A list as it was saved. */
export interface SavedList extends Kept {
  readonly search: string;
}

/** The saved lists of a kind, and the one of them that is shown. */
export function useSavedLists(kind: Kind, search: ListSearch) {
  const { account, session } = useAccount();
  const { data } = useDocument(savedLists, { type: kind.type }, account, { isEnabled: isStaff(session) });
  const lists: readonly SavedList[] = data?.data.savedLists?.nodes ?? [];
  const here = searchText(search);
  return { lists, shown: lists.find((list) => searchText(searchIn(list.search)) === here) };
}

/** Leads to the saved lists, and saves the one that is shown. */
export function SavedListsMenu({ kind }: { readonly kind: Kind }): ReactNode {
  const { account } = useAccount();
  const search = useSearch({ from: '/accounts/$account/$kind' });
  const { lists, shown } = useSavedLists(kind, search);
  const navigate = useNavigate();
  const create = useWrite(savedListCreate, account);
  const update = useWrite(savedListUpdate, account);
  const remove = useWrite(savedListDelete, account);
  const [open, setOpen] = useState<'new' | SavedList>();
  const place = { to: '/accounts/$account/$kind', params: { account, kind: kind.plural } } as const;
  const replace = async (list: SavedList): Promise<void> => {
    try {
      const { data } = await update.mutateAsync({ input: { id: list.id, search: searchText(search) } });
      checkAccepted(data.savedListUpdate);
      showToast(`${list.name} shows what is shown now.`);
    } catch (error) {
      showToast(`Not changed: ${explain(error)}`, 'bad');
    }
  };
  const others = lists.filter((list) => list !== shown);
  return (
    <>
      <ActionMenu
        label={shown ? `${shown.name}, saved list` : 'Saved lists'}
        className="button"
        actions={[
          ...lists.map((list) => ({
            id: list.id,
            label: list.name,
            note: list === shown ? `${sharedWords(list)} · shown now` : sharedWords(list),
            onAction: () => void navigate({ ...place, search: searchIn(list.search) }),
          })),
          ...(shown
            ? [
                {
                  id: 'change',
                  label: 'Change…',
                  note: `Name and team of ${shown.name}`,
                  onAction: () => setOpen(shown),
                },
              ]
            : [
                {
                  id: 'new',
                  label: 'Save this list…',
                  note: 'Its view, filters, order and columns',
                  onAction: () => setOpen('new'),
                },
                ...others.map((list) => ({
                  id: `replace ${list.id}`,
                  label: `Replace ${list.name}`,
                  note: 'By what is shown now',
                  onAction: () => void replace(list),
                })),
              ]),
        ]}
      >
        <Star aria-hidden size={16} strokeWidth={1.75} fill={shown ? 'currentColor' : 'none'} />
        {shown?.name ?? 'Saved'} <ChevronDown aria-hidden size={16} />
      </ActionMenu>
      {open === 'new' && (
        <KeptDialog
          title="Save this list"
          onClose={() => setOpen(undefined)}
          onSave={async (input) => {
            const { data } = await create.mutateAsync({
              input: { ...input, type: kind.type, search: searchText(search) },
            });
            checkAccepted(data.savedListCreate);
            showToast(`${input.name} is saved.`);
          }}
        />
      )}
      {open !== undefined && open !== 'new' && (
        <KeptDialog
          title={`Change ${open.name}`}
          kept={open}
          onClose={() => setOpen(undefined)}
          onSave={async (input) => {
            const { data } = await update.mutateAsync({ input: { ...input, id: open.id } });
            checkAccepted(data.savedListUpdate);
            showToast(`${input.name} is saved.`);
          }}
          onDelete={async () => {
            const { data } = await remove.mutateAsync({ input: { id: open.id } });
            checkAccepted(data.savedListDelete);
            showToast(`${open.name} is deleted.`);
          }}
        />
      )}
    </>
  );
}
