import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import * as Aria from 'react-aria-components';
import { graphql } from '../api/graphql';
import { useDocument } from '../api/queries';
import { Dialog } from '../design/dialog';
import { Labelled } from '../design/labelled';
import { numberOf } from '../api/number';
import { useAccount } from './account';
import { screensOf } from './screens';
import { useDebounced } from './debounced';

const search = graphql(`
  query Jump($query: String!) {
    requests(first: 5, filter: { query: $query }) {
      nodes {
        id
        subject
        status
      }
    }
    problems(first: 5, filter: { query: $query }) {
      nodes {
        id
        subject
        status
      }
    }
    tasks(first: 5, filter: { query: $query }) {
      nodes {
        id
        subject
        status
      }
    }
  }
`);

interface Target {
  readonly id: string;
  readonly label: string;
  readonly note: string;
}

/** A search for screens by name, and for records by number or words. */
export function JumpDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title="Search or jump" isOpen={isOpen} onClose={onClose}>
      <Jump onDone={onClose} />
    </Dialog>
  );
}

function Jump({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { account, session } = useAccount();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const typed = useDebounced(text.trim(), 250);
  const isWords = typed.length > 2 && !/^#?\d+$/.test(typed);
  const found = useDocument(search, { query: typed }, account, { isEnabled: isWords });
  const number = /^#?(\d+)$/.exec(text.trim())?.[1];
  const targets: Target[] = [
    ...screensOf(session)
      .filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()))
      .map(({ label, path, key }) => ({ id: `/accounts/${account}${path}`, label, note: `g ${key}` })),
    ...(number === undefined
      ? []
      : [
          { id: `/accounts/${account}/requests/${number}`, label: `Request ${number}`, note: 'by number' },
          { id: `/accounts/${account}/problems/${number}`, label: `Problem ${number}`, note: 'by number' },
        ]),
    ...(isWords && found.data
      ? Object.entries(found.data.data).flatMap(([plural, list]) =>
          (list?.nodes ?? []).map(({ id, subject, status }) => ({
            id: `/accounts/${account}/${plural}/${numberOf(id)}`,
            label: subject,
            note: `${plural.slice(0, -1)} ${numberOf(id)} · ${status.replaceAll('_', ' ')}`,
          })),
        )
      : []),
  ];
  return (
    <Aria.Autocomplete inputValue={text} onInputChange={setText}>
      <Aria.SearchField aria-label="Search" autoFocus className="field">
        <Aria.Input className="input" placeholder="Screen, record number or text" />
      </Aria.SearchField>
      <Aria.Menu
        className="options jump-list"
        aria-label="Results"
        items={targets}
        renderEmptyState={() => (
          <span className="option muted">{isWords && found.isFetching ? 'Searching …' : 'No results.'}</span>
        )}
        onAction={(key) => {
          onDone();
          void navigate({ to: String(key) });
        }}
      >
        {({ label, note }) => (
          <Aria.MenuItem className="option" textValue={label}>
            <Labelled label={label} note={note} />
          </Aria.MenuItem>
        )}
      </Aria.Menu>
    </Aria.Autocomplete>
  );
}
