import type { ReactNode } from 'react';
import { Dialog } from '../design/dialog';
import { Checkbox } from '../design/field';
import { screens } from './screens';
import { setSingleKeys, useSingleKeys } from './shortcuts';

const everywhere: readonly (readonly [string, string])[] = [
  ['Ctrl K', 'search or jump'],
  ['/', 'search or filter here'],
  ['?', 'these keys'],
  ...screens.map(({ key, label }): readonly [string, string] => [`g ${key}`, label]),
  ['n', 'new'],
  ['j k', 'next and previous of a list'],
  ['Enter', 'open'],
  ['[ ]', 'on a delivery: the one before and after it in the list'],
  ['Ctrl Enter', 'send a form'],
  ['Esc', 'close'],
];

export function KeysDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  const isOn = useSingleKeys();
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose}>
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
        Single letters act outside fields
      </Checkbox>
      <p className="meta">
        <a href="/docs">Documentation</a>
      </p>
    </Dialog>
  );
}
