import type { ReactNode } from 'react';
import { Dialog } from '../design/dialog';
import { Checkbox } from '../design/field';
import { useAccount } from './account';
import { screensOf } from './screens';
import { setSingleKeys, useSingleKeys } from './shortcuts';

type Key = readonly [keys: string, what: string];

const everywhere: readonly Key[] = [
  ['Ctrl K', 'search or jump'],
  ['/', 'search or filter here'],
  ['?', 'this list'],
  ['n', 'new'],
  ['j k', 'next and previous row'],
  ['Enter', 'open'],
  ['o x', 'open a record of a list, and select it'],
  ['s m t p', 'in a list: status, member, team and priority of the selected records, or of this one'],
  ['u', 'back to the list of records'],
  ['[ ]', 'previous and next delivery'],
  ['a', 'take over a record'],
  ['s m t', 'on its page: its status, member and team'],
  ['r i', 'reply, and internal note'],
  ['Ctrl Enter', 'submit a form'],
  ['Esc', 'close'],
];

export function KeysDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  const { session } = useAccount();
  const isOn = useSingleKeys();
  const ofScreens = screensOf(session).map(({ key, label }): Key => [`g ${key}`, label]);
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <dl className="keys-list">
        {[...everywhere.slice(0, 3), ...ofScreens, ...everywhere.slice(3)].map(([keys, what]) => (
          <div key={keys} style={{ display: 'contents' }}>
            <dt>
              {keys.split(' ').map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Checkbox isSelected={isOn} onChange={setSingleKeys}>
        Single-key shortcuts
      </Checkbox>
      <p className="meta">
        <a href="/docs">Documentation</a>
      </p>
    </Dialog>
  );
}
