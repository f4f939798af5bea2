import { Suspense, lazy, useState } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { numberOf } from '../api/number';
import { isAdministrator, isStaff } from '../api/roles';
import { Badge } from '../design/badge';
import { SkeletonRows } from '../design/panel';
import { useAccount } from '../frame/account';
import { useShortcuts } from '../frame/shortcuts';
import { RecordStatus } from '../parts/record-status';
import type { KnownRecord } from './change';
import { Details } from './details';
import { isKeeper, mayAddInternalNotes, mayAddNotes, mayEdit } from './editing';
import { kindOfField } from './kinds';
import type { Kind } from './kinds';
import { NoteComposer, draftedNote } from './note-composer';
import type { Referred } from './reference-box';
import { AsideBanner } from './set-aside';
import { Timeline } from './timeline';
import type { RestRecord } from './values';

/** Lazy: few records have the form of a UI extension, and nobody needs all of these. */
const RequesterPanel = lazy(() => import('./requester-panel').then((module) => ({ default: module.RequesterPanel })));
const RecordNeighbours = lazy(() =>
  import('./record-neighbours').then((module) => ({ default: module.RecordNeighbours })),
);
const RecordWebhooks = lazy(() => import('./record-webhooks').then((module) => ({ default: module.RecordWebhooks })));
const CustomPanel = lazy(() => import('./custom-panel').then((module) => ({ default: module.CustomPanel })));

/** A record, and what the person may do with it. */
export interface ShownRecord {
  readonly known: KnownRecord;
  readonly kind: Kind;
  readonly number: string;
  /** Undefined for a platform without descriptions. */
  readonly type: TypeDescription | undefined;
  readonly isInTrash: boolean;
}

interface Rights {
  readonly edit: boolean;
  readonly addNotes: boolean;
  readonly setAside: boolean;
  readonly restore: boolean;
}

/** What the person may do; records of other accounts are only read, and so are people, who have pages of their own. */
export function useRights({ known: { data }, kind, type, isInTrash }: ShownRecord): Rights {
  const { account, session } = useAccount();
  const isOwn = kind.hasHistory && data.account.id === account;
  const isActive = isOwn && !isInTrash && data['life_cycle_state'] === 'active';
  return {
    edit: isActive && type !== undefined && mayEdit(type, data, account, session),
    addNotes: isActive && kind.hasNotes && mayAddNotes(session),
    setAside: isActive && isKeeper(session),
    restore: isOwn && !isActive && isKeeper(session),
  };
}

/** Beside the heading of the record's page. */
export function RecordState({
  record: { status, disabled },
  kind,
}: {
  readonly record: RestRecord;
  readonly kind: Kind;
}): ReactNode {
  if (typeof status === 'string') return <RecordStatus status={status} type={kind.name} />;
  return disabled === true && <Badge tone="quiet">disabled</Badge>;
}

/** The content of the record's page. */
export function RecordParts(shown: ShownRecord): ReactNode {
  const { known, kind, number, type, isInTrash } = shown;
  const { account, session } = useAccount();
  const may = useRights(shown);
  const record = known.data;
  const isSetAside = isInTrash || record['life_cycle_state'] === 'archived';
  const details = <Details type={type} known={known} kind={kind} number={number} isEdited={may.edit} />;
  // For a person who sees only the record, the API refuses the history as not found.
  const hasHistory = kind.hasHistory && isStaff(session);
  const hasTimeline = (kind.hasNotes || hasHistory) && !isInTrash;
  return (
    <>
      {isSetAside && (
        <AsideBanner record={record} kind={kind} number={number} isInTrash={isInTrash} mayRestore={may.restore} />
      )}
      {type && !isStaff(session) && !isSetAside && (
        <Suspense fallback={<SkeletonRows rows={2} />}>
          <RequesterPanel known={known} kind={kind} number={number} type={type} />
        </Suspense>
      )}
      <div className="record-parts">
        {hasTimeline ? (
          <Timeline
            account={account}
            kind={kind}
            number={number}
            type={type}
            names={namesIn(record)}
            hasNotes={kind.hasNotes}
            hasHistory={hasHistory}
          >
            {may.addNotes && <Composer {...shown} />}
          </Timeline>
        ) : (
          details
        )}
        <div className="stack">
          {hasTimeline && details}
          {hasForm(record) && (
            <Suspense fallback={<SkeletonRows rows={3} />}>
              <CustomPanel known={known} kind={kind} number={number} isEdited={may.edit} />
            </Suspense>
          )}
          {isStaff(session) && !isInTrash && (
            <Suspense fallback={null}>
              <RecordNeighbours typeName={kind.type} record={record} />
            </Suspense>
          )}
          {isAdministrator(session) && !isInTrash && (
            <Suspense fallback={null}>
              <RecordWebhooks kind={kind} number={number} />
            </Suspense>
          )}
        </div>
      </div>
    </>
  );
}

const hasForm = (record: RestRecord): boolean => Boolean(record['ui_extension']);

function Composer(shown: ShownRecord): ReactNode {
  const { kind, number, known, type } = shown;
  const context = useAccount();
  const may = useRights(shown);
  const [note, setNote] = useState(() => draftedNote(context, kind, number));
  useShortcuts({
    r: () => setNote('reply'),
    ...(mayAddInternalNotes(context.session) && { i: () => setNote('internal') }),
  });
  return (
    <NoteComposer
      kind={kind}
      number={number}
      known={known}
      editedType={may.edit ? type : undefined}
      readers={readersOf(shown, Number(numberOf(context.session.person.id)))}
      open={note}
      onOpen={setNote}
    />
  );
}

/** Those beside oneself who see the record because it is theirs, by name. */
function readersOf({ known, type }: ShownRecord, personId: number): readonly string[] {
  const owners = (type?.endUsersSee ?? []).flatMap((name) => {
    const rest = type?.fields.find((field) => field.name === name)?.rest;
    const person = rest === undefined ? undefined : (known.data[rest] as Referred | null | undefined);
    return person && person.id !== personId ? person.name : [];
  });
  return [...new Set(owners)];
}

/** The names of referenced records, by the end of their addresses. */
function namesIn(record: RestRecord): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [field, value] of Object.entries(record)) {
    const plural = kindOfField[field];
    if (plural === undefined) continue;
    for (const each of [value].flat() as ({ id: number; name?: string; subject?: string } | null)[])
      if (each) names.set(`${plural}/${each.id}`, each.name ?? each.subject ?? `#${each.id}`);
  }
  return names;
}
