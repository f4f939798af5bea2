import { recordChanged } from '@itsm/shared/contracts/records';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import { outboxEntry } from '@itsm/shared/messages/outbox/outbox';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import { happeningEntry, workerFields } from '../notices/happening';
import type { Happening } from '../notices/happening';
import { mentionsIn, mostMentions } from '../notices/mentions';
import type { PlacedFiles } from '../attachments/placed-files';
import { contractOf } from '../store/trail';
import type { AuditLine, Note, Trail } from '../store/trail';
import type { TrailKeeper } from '../store/trail-keeper';
import { customIn, idIn, textIn } from '@itsm/shared/declared/values';
import { lifeCycleField, stateOf } from '../record-types/life-cycle';
import { changesBetween, isAudited } from '../record-types/record';
import type { Change, ItsmRecord } from '../record-types/record';
import { ownersOf } from '../record-types/record-type';
import { addedBy, namedChanges, removedBy } from './file-changes';
import type { RecordType } from '../record-types/record-type';
import { recordEvents, referencesOf } from './record-changed.message';
import type { Write } from './record-changed.message';
import type { Lookups } from '../read/record-lookups';
import { accountsThatSee } from './record-references';
import type { RecordRepository } from '../store/record.repository';
import type { Written } from '../store/record-outcome';

/** Writes a record with its audit line, note and events in one atomic write. */
export interface RecordWriter {
  write(write: Write, lookups: Lookups, extras?: Extras): Promise<Result>;
}

interface Result {
  readonly written: Written | 'unchanged';
  readonly note: Note | undefined;
}

/** A note, with the files that were taken for it. */
export type NewNote = Pick<Note, 'text' | 'internal' | 'attachments'>;

interface Extras {
  /** A note to add to the record. */
  readonly note?: NewNote | undefined;
  /** The reserved number of the note; drawn from the sequence when absent. */
  readonly noteId?: number;
  /** Publishes no events, and names nobody. */
  readonly silent?: boolean;
}

interface Dependencies {
  readonly repository: RecordRepository;
  readonly trailKeeper: TrailKeeper;
  readonly placedFiles: PlacedFiles;
  readonly sequence: Sequence;
  /** Triggers the relay of the collection's outbox at once. */
  readonly nudge: (collection: string) => void;
  readonly nodeIdDomain: string;
}

export function createRecordWriter(dependencies: Dependencies): RecordWriter {
  const { repository, trailKeeper, placedFiles, sequence, nudge, nodeIdDomain } = dependencies;

  /** Numbers are drawn after the previous version was read, so that they ascend with the versions of a record. */
  async function trailOf(
    write: Write,
    { note, noteId: keptId, silent = false }: Extras,
    lookups: Lookups,
  ): Promise<Trail> {
    const [auditLineId, noteId, mentions] = await Promise.all([
      auditedChanges(write).length > 0 ? sequence.draw('audit_line') : undefined,
      note === undefined ? undefined : (keptId ?? sequence.next('note')),
      note === undefined || silent ? [] : mentionedIn(note.text, lookups),
    ]);
    return {
      auditLine: auditLineId === undefined ? undefined : auditLineFor(write, auditLineId),
      note: noteId === undefined || !note ? undefined : { id: noteId, ...about(write), ...note, mentions },
    };
  }

  /**
   * Those whom a note names: of the people of the directory, whether they see the note or not. Otherwise its author could
   * find out what others see.
   */
  async function mentionedIn(text: string, lookups: Lookups): Promise<Note['mentions']> {
    const named = mentionsIn(text, nodeIdDomain).slice(0, mostMentions);
    const people = await Promise.all(named.map((id) => lookups.seenPerson(id)));
    return people.flatMap((person) => (person ? [{ id: person.id, name: person.name }] : []));
  }

  async function eventsOf(write: Write, trail: Trail, lookups: Lookups): Promise<OutboxEntry[]> {
    const [references, visibleTo] = await Promise.all([
      referencesOf(nodeIdDomain, lookups, write.after),
      accountsThatSee(lookups, write.type, write.after.values),
    ]);
    const events = recordEvents(write, nodeIdDomain, { trail, references, visibleTo });
    return events.map((event) => outboxEntry(recordChanged, event, event.eventId));
  }

  return {
    async write(write, lookups, extras = {}) {
      const { note, silent = false } = extras;
      const { type, before, after, files } = write;
      const isMoved = before !== undefined && stateOf(before) !== stateOf(after);
      const isChanged = isMoved || files !== undefined || changesBetween(type, before?.values, after.values).length > 0;
      if (!isChanged && note === undefined) return { written: 'unchanged', note: undefined };
      const trail = await trailOf(write, extras, lookups);
      const left = (trail.auditLine ?? trail.note) && outboxEntry(contractOf(trail), trail);
      const loud = silent
        ? []
        : [...(await eventsOf(write, trail, lookups)), happeningEntry(happeningOf(write, trail))];
      const outbox = [left, ...loud].flatMap((entry) => entry ?? []);
      const record = { recordType: type.name, recordId: after.id };
      if (files) await placedFiles.watch(after.accountId, removedBy(files), record);
      const written = await (before
        ? repository.replace(before, after, outbox, files?.after)
        : repository.insert(after, outbox, files?.after));
      if (written !== 'written') return { written, note: undefined };
      if (files) await placedFiles.settle(after.accountId, record, addedBy(files), removedBy(files));
      // The relay stores the trail in any case; storing it here as well lets the author read it at once (read your
      // writes).
      if (left) await trailKeeper.keep(trail, left.id);
      nudge(type.plural);
      return { written, note: trail.note };
    },
  };
}

const about = ({ type, after, actor }: Write) => ({
  accountId: after.accountId,
  recordType: type.name,
  recordId: after.id,
  at: after.updatedAt,
  person: actor,
});

function happeningOf(write: Write, { note }: Trail): Happening {
  const { type, before, after } = write;
  const [was, is] = [before, after].map((record) => record && textIn(record.values, 'status'));
  const [wasIn, isIn] = [before, after].map((record) => record && freeIn(type, record));
  const became = isIn === wasIn ? undefined : isIn;
  return {
    ...about(write),
    isNew: before === undefined,
    changed: changesBetween(type, before?.values, after.values).map(({ field }) => field),
    ...(is !== undefined && { statuses: { before: was ?? null, after: is } }),
    ...(note && { note: { id: note.id, internal: note.internal, mentions: note.mentions.map(({ id }) => id) } }),
    ...(became !== undefined && { freeIn: became }),
    workers: numbered(workerFields, after),
    owners: [...new Set(Object.values(numbered(ownersOf(type), after)))],
  };
}

/** The team of a record that is open and has no member; undefined for any other. */
function freeIn({ closed = [], fields }: RecordType, { values }: ItsmRecord): number | undefined {
  if (!fields.some(({ name }) => name === 'member') || idIn(values, 'member') !== undefined) return undefined;
  return closed.includes(textIn(values, 'status') ?? '') ? undefined : idIn(values, 'team');
}

/** By field, the people in some fields of a record. */
const numbered = (fields: readonly string[], { values }: ItsmRecord): Readonly<Record<string, number>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const id = idIn(values, field);
      return id === undefined ? [] : [[field, id]];
    }),
  );

const auditedChanges = ({ type, before, after, files }: Write): readonly Change[] => [
  ...changesBetween(type, before?.values, after.values).filter(({ field: changed }) =>
    isAudited(type.fields.find(({ name }) => name === changed)),
  ),
  ...(before && stateOf(before) !== stateOf(after)
    ? [{ field: lifeCycleField, from: stateOf(before), to: stateOf(after) }]
    : []),
  ...(files ? namedChanges(type, files) : []),
];

export const auditLineFor = (write: Write, id: number): AuditLine => ({
  id,
  ...about(write),
  action: write.before ? 'update' : 'create',
  version: write.after.version,
  changes: auditedChanges(write)
    .flatMap((change) => changesOf(write.type, change))
    .map(({ field, from, to }) => ({ field, from: plain(from), to: plain(to) })),
});

/** A change as audit lines have it: of custom fields each by itself, as `customFields.floor`. */
function changesOf({ fields }: RecordType, { field, from, to }: Change): readonly Shown[] {
  if (fields.find(({ name }) => name === field)?.kind !== 'custom') return [{ field, from, to }];
  const [before, after] = [from, to].map(
    (list) => new Map(customIn({ list }, 'list').map((one) => [one.id, one.value])),
  );
  return [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])]
    .sort()
    .map((id) => ({ field: `${field}.${id}`, from: before?.get(id) ?? null, to: after?.get(id) ?? null }))
    .filter((change) => change.from !== change.to);
}

interface Shown {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

type Plain = AuditLine['changes'][number]['from'];
const plain = (value: unknown): Plain =>
  (typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value) as Plain;
