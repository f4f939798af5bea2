import type { ReactNode } from 'react';
import { examples } from './examples';
import type { Draft } from './question';

export function ExamplesPanel({ onOpen }: { readonly onOpen: (draft: Draft) => void }): ReactNode {
  return (
    <div className="side-list">
      <ul>
        {examples.map(({ title, note, draft }) => (
          <li key={title}>
            <button type="button" className="side-item" onClick={() => onOpen(draft)}>
              <strong>{title}</strong>
              <small>{note}</small>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
