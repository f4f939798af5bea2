import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { failureOf } from '../api/errors';
import { rest } from '../api/rest';
import { Panel } from '../design/panel';
import { Time } from '../design/time';
import { Fetched } from '../frame/fetched';
import { kinds } from './kinds';
import type { Kind } from './kinds';
import { RecordLink } from './record-link';
import { labelOf, wordsOf } from './values';

interface Writer {
  readonly id: number;
  readonly name: string;
}
interface Note {
  readonly id: number;
  readonly text: string;
  readonly internal: boolean;
  readonly person: Writer | null;
  readonly created_at: string;
}
interface AuditLine {
  readonly id: number;
  readonly action: string;
  readonly person: Writer | null;
  readonly changes: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[];
  readonly created_at: string;
}
interface Part {
  readonly account: string;
  readonly kind: Kind;
  readonly number: string;
}

const shown = 50;

/** The notes, newest first, below what is for writing one. */
export function Notes({ account, kind, number, children }: Part & { readonly children?: ReactNode }): ReactNode {
  const query = useQuery({
    queryKey: [account, 'notes', kind.plural, number],
    queryFn: ({ signal }) =>
      rest<readonly Note[]>(account, `/${kind.plural}/${number}/notes?sort=-id&per_page=${shown}`, { signal }),
  });
  return (
    <Panel title="Notes">
      {children}
      <Fetched query={query} rows={3}>
        {(notes) =>
          notes.length === 0 ? (
            <p className="muted">No notes yet.</p>
          ) : (
            <ol className="timeline record-timeline">
              {notes.map(({ id, text, internal, person, created_at: at }) => (
                <li key={id} className={internal ? 'note-internal' : undefined}>
                  <By person={person} at={at} account={account} />
                  {internal && (
                    <p className="note-readers">
                      <Lock aria-hidden size={14} strokeWidth={2} />
                      Internal: only colleagues see it
                    </p>
                  )}
                  <p className="record-text">{text}</p>
                </li>
              ))}
            </ol>
          )
        }
      </Fetched>
    </Panel>
  );
}

/** Who changed what, newest first; without the permission a sentence says so. */
export function History({
  account,
  kind,
  number,
  names,
}: Part & { readonly names: ReadonlyMap<string, string> }): ReactNode {
  const query = useQuery({
    queryKey: [account, 'audit', kind.plural, number],
    queryFn: ({ signal }) =>
      rest<readonly AuditLine[]>(account, `/${kind.plural}/${number}/audit?sort=-id&per_page=${shown}`, { signal }),
    retry: false,
  });
  const { kind: failure } = query.error === null ? { kind: undefined } : failureOf(query.error);
  // For a person who sees only the record, the API refuses the history as not found.
  if (failure === 'not_allowed' || failure === 'missing')
    return (
      <Panel title="History">
        <p className="muted">Only specialists, auditors and administrators see the history.</p>
      </Panel>
    );
  return (
    <Panel title="History">
      <Fetched query={query} rows={3}>
        {(lines) =>
          lines.length === 0 ? (
            <p className="muted">No changes yet.</p>
          ) : (
            <ol className="timeline record-timeline">
              {lines.map(({ id, action, person, changes, created_at: at }) => (
                <li key={id}>
                  <By person={person} at={at} account={account} what={pastOf(action)} />
                  <ul className="changes">
                    {changes.map(({ field, from, to }) => (
                      <li key={field}>
                        <span className="muted">{labelOf(field)}</span>{' '}
                        {from !== null && (
                          <>
                            <AuditValue value={from} account={account} names={names} />
                            {' → '}
                          </>
                        )}
                        {to === null ? 'nothing' : <AuditValue value={to} account={account} names={names} />}
                      </li>
                    ))}
                  </ul>
                </li>
              ))}
            </ol>
          )
        }
      </Fetched>
    </Panel>
  );
}

const pastOf = (action: string): string => ({ create: 'created it', update: 'changed it' })[action] ?? wordsOf(action);

function By({
  person,
  at,
  account,
  what,
}: {
  readonly person: Writer | null;
  readonly at: string;
  readonly account: string;
  readonly what?: string;
}): ReactNode {
  return (
    <p className="row">
      <strong>
        {person ? (
          <RecordLink account={account} kind="people" number={person.id}>
            {person.name}
          </RecordLink>
        ) : (
          'The platform'
        )}
        {what !== undefined && <span className="muted"> {what}</span>}
      </strong>
      <span className="meta">
        <Time at={at} />
      </span>
    </p>
  );
}

/** Audit lines have references as ids; `names` has the names of currently referenced records. */
function AuditValue({
  value,
  account,
  names,
}: {
  readonly value: unknown;
  readonly account: string;
  readonly names: ReadonlyMap<string, string>;
}): ReactNode {
  if (Array.isArray(value))
    return value.map((each: unknown, index) => (
      <span key={index}>
        {index > 0 && ', '}
        <AuditValue value={each} account={account} names={names} />
      </span>
    ));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'string') return String(value);
  const place = placeOf(value);
  if (!place) return <span className="record-text">{/^[a-z]+(_[a-z]+)+$/.test(value) ? wordsOf(value) : value}</span>;
  const { kind, number } = place;
  return (
    <RecordLink account={account} kind={kind.plural} number={number}>
      {names.get(`${kind.plural}/${number}`) ?? `${kind.noun} ${number}`}
    </RecordLink>
  );
}

/** The record of a GraphQL id; undefined for other texts. */
function placeOf(text: string): { readonly kind: Kind; readonly number: string } | undefined {
  if (!/^[\w-]{16,}$/.test(text)) return undefined;
  try {
    const [, type, number] = /\/(\w+)\/(\d+)$/.exec(atob(text.replaceAll('-', '+').replaceAll('_', '/'))) ?? [];
    const kind = kinds.find((each) => each.type === type);
    return kind && number !== undefined ? { kind, number } : undefined;
  } catch {
    return undefined;
  }
}
