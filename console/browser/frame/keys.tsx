import type { ReactNode } from 'react';
import { Dialog } from '../design/dialog';
import { Checkbox } from '../design/field';
import { screens } from './screens';
import { setSingleKeys, useSingleKeys } from './shortcuts';

const everywhere: readonly (readonly [string, string])[] = [
  ['Ctrl K', 'search or jump'],
  ['/', 'search or filter here'],
  ['?', 'this list'],
  ...screens.map(({ key, label }): readonly [string, string] => [`g ${key}`, label]),
  ['n', 'new'],
  ['j k', 'next and previous row'],
  ['Enter', 'open'],
  ['[ ]', 'previous and next delivery'],
  ['a', 'take over a record'],
  ['s m t', 'its status, member and team'],
  ['r i', 'reply, and internal note'],
  ['Ctrl Enter', 'submit a form'],
  ['Esc', 'close'],
];

export function KeysDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  const isOn = useSingleKeys();
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <dl className="keys-list">
        {everywhere.map(([keys, what]) => (
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
