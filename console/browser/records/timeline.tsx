import { Lock } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { FieldDescription, TypeDescription } from '@itsm/shared/declared/description';
import { Button } from '../design/button';
import { Panel } from '../design/panel';
import { Tabs } from '../design/tabs';
import { Time } from '../design/time';
import { Fetched } from '../frame/fetched';
import { valueInWords } from './field-words';
import type { Kind } from './kinds';
import { placeOf } from './node-place';
import { withPictureNames } from './note-parts';
import { NoteText } from './note-text';
import { RecordLink } from './record-link';
import type { AuditChange, Entry } from './timeline-entries';
import { useTimeline } from './use-timeline';
import { labelOf, wordsOf } from './values';

interface Shown {
  readonly account: string;
  /** The names of currently referenced records: audit lines have references as ids. */
  readonly names: ReadonlyMap<string, string>;
  /** Undefined for a platform without descriptions. */
  readonly type: TypeDescription | undefined;
}

/** What happened to the record, the newest first, below what is for writing a note: notes and changes in one history. */
export function Timeline({
  kind,
  number,
  hasNotes,
  hasHistory,
  children,
  ...shown
}: Shown & {
  readonly kind: Kind;
  readonly number: string;
  readonly hasNotes: boolean;
  /** The person may see who changed what. */
  readonly hasHistory: boolean;
  readonly children?: ReactNode;
}): ReactNode {
  const query = useTimeline({ account: shown.account, kind, number }, { hasNotes, hasHistory });
  const [tab, setTab] = useState('all');
  const list = (only: (entry: Entry) => Entry, none: string): ReactNode => (
    <Fetched query={query} rows={4}>
      {(entries) => <Entries entries={entries.map(only).filter(isFilled)} none={none} {...shown} />}
    </Fetched>
  );
  const ofNotes = list((entry) => ({ ...entry, lines: [] }), 'No notes yet.');
  const ofChanges = list((entry) => ({ ...entry, notes: [] }), 'No changes yet.');
  return (
    <Panel title={hasHistory ? 'History' : 'Notes'}>
      {children}
      {hasNotes && hasHistory ? (
        <Tabs
          label="What is shown of the history"
          selected={tab}
          onSelect={setTab}
          tabs={[
            { id: 'all', label: 'All', content: list((entry) => entry, 'Nothing has happened yet.') },
            { id: 'notes', label: 'Notes', content: ofNotes },
            { id: 'changes', label: 'Changes', content: ofChanges },
          ]}
        />
      ) : hasNotes ? (
        ofNotes
      ) : (
        ofChanges
      )}
      {query.older && (
        <Button isPending={query.isFetchingOlder} onPress={() => void query.older?.()}>
          Show older
        </Button>
      )}
    </Panel>
  );
}

const isFilled = ({ notes, lines }: Entry): boolean => notes.length + lines.length > 0;

function Entries({
  entries,
  none,
  ...shown
}: Shown & { readonly entries: readonly Entry[]; readonly none: string }): ReactNode {
  if (entries.length === 0) return <p className="muted">{none}</p>;
  return (
    <ol className="timeline record-timeline">
      {entries.map((entry) => (
        <EntryItem key={entry.key} entry={entry} {...shown} />
      ))}
    </ol>
  );
}

function EntryItem({ entry, ...shown }: Shown & { readonly entry: Entry }): ReactNode {
  const { person, at, notes, lines } = entry;
  const { account } = shown;
  const isNew = lines.some(({ action }) => action === 'create');
  const changes = isNew ? [] : lines.flatMap((line) => line.changes);
  const taken = changes.find((change) => isTakeOver(change, person?.id));
  const what = isNew ? 'created it' : taken ? 'took it over' : undefined;
  const others = changes.filter((change) => change !== taken);
  const isInternal = notes.some(({ internal }) => internal);
  return (
    <li className={isInternal ? 'note-internal' : undefined}>
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
      {isInternal && (
        <p className="note-readers">
          <Lock aria-hidden size={14} strokeWidth={2} />
          Internal: only colleagues see it
        </p>
      )}
      {notes.map(({ id, text, attachments, mentions }) => (
        <NoteText key={id} text={text} files={attachments} mentions={mentions} />
      ))}
      {others.length > 0 && (
        <ul className="changes">
          {others.map((change) => (
            <ChangeItem key={change.field} change={change} {...shown} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** Whether somebody has made themselves the member. */
function isTakeOver({ field, to }: AuditChange, personId: number | undefined): boolean {
  const place = field === 'member' && typeof to === 'string' ? placeOf(to) : undefined;
  return place?.kind.plural === 'people' && Number(place.number) === personId;
}

function ChangeItem({
  change: { field, from, to },
  type,
  ...shown
}: Shown & { readonly change: AuditChange }): ReactNode {
  const described = type?.fields.find(({ name }) => name === field);
  const value = (one: unknown): ReactNode => <AuditValue value={one} field={described} {...shown} />;
  return (
    <li>
      <span className="muted">{described?.label ?? labelOf(field)}</span>{' '}
      {from !== null && (
        <>
          {value(from)}
          {' → '}
        </>
      )}
      {to === null ? 'nothing' : value(to)}
    </li>
  );
}

function AuditValue({
  value,
  field,
  ...shown
}: Omit<Shown, 'type'> & { readonly value: unknown; readonly field: FieldDescription | undefined }): ReactNode {
  const { account, names } = shown;
  if (Array.isArray(value))
    return value.map((each: unknown, index) => (
      <span key={index}>
        {index > 0 && ', '}
        <AuditValue value={each} field={field} {...shown} />
      </span>
    ));
  if (field?.kind === 'flag') return valueInWords(field, value === true || value === 'true');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'string') return String(value);
  if (field?.kind === 'timestamp' || field?.kind === 'choice') return valueInWords(field, value);
  const place = placeOf(value);
  if (!place) {
    const text = /^[a-z]+(_[a-z]+)+$/.test(value) ? wordsOf(value) : withPictureNames(value);
    return <span className="record-text">{text}</span>;
  }
  const { kind, number } = place;
  return (
    <RecordLink account={account} kind={kind.plural} number={number}>
      {names.get(`${kind.plural}/${number}`) ?? `${kind.noun} ${number}`}
    </RecordLink>
  );
}
