import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../design/button';
import { titleOf } from './question';
import type { Documents } from './tabs-store';

/** The open documents; each stays open until it is closed. */
export function DocumentTabs({ documents }: { readonly documents: Documents }): ReactNode {
  const { all, shown, show, open, close } = documents;
  return (
    <nav className="documents" aria-label="Documents">
      <ul>
        {all.map((document) => {
          const title = titleOf(document);
          return (
            <li key={document.id} data-current={document.id === shown.id || undefined}>
              <button
                type="button"
                onClick={() => show(document.id)}
                aria-current={document.id === shown.id ? 'page' : undefined}
              >
                {title}
              </button>
              {(all.length > 1 || document.query.trim() !== '') && (
                <IconButton label={`Close ${title}`} onPress={() => close(document.id)}>
                  <X aria-hidden size={14} strokeWidth={1.75} />
                </IconButton>
              )}
            </li>
          );
        })}
      </ul>
      <IconButton label="New query" onPress={() => open({ query: '', variables: '', operation: undefined })}>
        <Plus aria-hidden size={16} strokeWidth={1.75} />
      </IconButton>
    </nav>
  );
}
