import type { Mention, NoteFile } from './note-parts';

/** Who wrote a note or made a change; null for the platform itself. */
export interface Writer {
  readonly id: number;
  readonly name: string;
}

interface Event {
  readonly id: number;
  readonly person: Writer | null;
  readonly created_at: string;
}

export interface Note extends Event {
  readonly text: string;
  readonly internal: boolean;
  readonly attachments: readonly NoteFile[];
  /** Absent from a platform of an earlier release. */
  readonly mentions?: readonly Mention[];
}

export interface AuditChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

export interface AuditLine extends Event {
  readonly action: string;
  readonly changes: readonly AuditChange[];
}

/** What has been read of a list, the newest first, and whether there is more behind it. */
export interface Read<T> {
  readonly events: readonly T[];
  readonly hasMore: boolean;
}

/** What one person did at one moment: a note, changes, or both. */
export interface Entry {
  readonly key: string;
  readonly person: Writer | null;
  readonly at: string;
  readonly notes: readonly Note[];
  readonly lines: readonly AuditLine[];
}

/**
 * Notes and changes as one history, the newest first. What is older than the oldest that has been read of a list with more
 * behind it is left out: between such entries there may be others that have not been read yet.
 */
export function entriesOf(notes: Read<Note>, lines: Read<AuditLine>): readonly Entry[] {
  const edge = [notes, lines]
    .flatMap(({ events, hasMore }) => (hasMore ? (events.at(-1)?.created_at ?? []) : []))
    .sort(inTime)
    .at(-1);
  const isShown = ({ created_at: at }: Event): boolean => edge === undefined || inTime(at, edge) >= 0;
  const entries = new Map<string, { person: Writer | null; at: string; notes: Note[]; lines: AuditLine[] }>();
  const entryOf = ({ person, created_at: at }: Event) => {
    const key = `${at} ${person?.id ?? 'platform'}`;
    const entry = entries.get(key) ?? { person, at, notes: [], lines: [] };
    entries.set(key, entry);
    return entry;
  };
  for (const line of lines.events.filter(isShown)) entryOf(line).lines.push(line);
  for (const note of notes.events.filter(isShown)) entryOf(note).notes.push(note);
  return [...entries].map(([key, entry]) => ({ key, ...entry })).sort((one, other) => inTime(other.at, one.at));
}

const inTime = (one: string, other: string): number => Date.parse(one) - Date.parse(other);
