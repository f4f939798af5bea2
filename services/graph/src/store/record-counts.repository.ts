import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { unlessTaken } from '@itsm/shared/stores/mongo/duplicate-key';
import type { ReadOptions } from '@itsm/shared/stores/mongo/caller-reads';
import type { Connection } from 'mongoose';
import type { RecordType } from '../record-types/record-type';
import { countedBy, countedSelection, differences, keysOf, moved, sameKeys } from './record-keys';
import type { Move, Tally } from './record-keys';
import { uncountedKey } from './record-indexes';
import { accountOfPlace, isActivePlace, placesOf } from './record-places';
import type { Selection } from './record-selection';
import type { RecordDocument } from './record.document';

/** A record that the counts contain already, and in which a second write notes it. */
interface Pending {
  readonly id: number;
  readonly version: number;
  /** The fold that counted it before; null when none did. */
  readonly was: number | null;
  readonly as: readonly string[];
}

/** How far a sweep is: up to this id, by which fields, its own counts, and the unmarked changes that it found. */
interface SweepProgress {
  readonly after: number;
  readonly fields: readonly string[];
  readonly counts: Tally;
  readonly unmarked: number;
}

/** The counts of one type in one account. */
interface CountsDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly type: string;
  /** The number of the last fold; each change of the counts is conditional on it. */
  readonly fold: number;
  /** Null until the first sweep has counted all records. */
  readonly counts: Tally | null;
  /** The fields by which all records are counted. */
  readonly fields: readonly string[];
  readonly pending: readonly Pending[];
  readonly sweep: SweepProgress | null;
  /** When the next sweep is due; while one is under way, when its lease ends. */
  readonly dueAt: Date;
  readonly owner?: string;
  /**
   * Until then records may be stored without a mark, so no sweep counts; later, counts are used again after a sweep.
   * Null since that sweep.
   */
  readonly heldUntil?: Date | null;
}

type Folded = Pick<CountsDocument, '_id' | 'accountId' | 'fold' | 'pending'>;

/** The part of a stored record that counting reads. */
type Counted = Pick<RecordDocument, '_id' | 'accountId' | 'values' | 'version' | 'counted' | 'uncounted'>;

/** A sweep cannot begin before that time. */
interface Held {
  readonly heldUntil: Date;
}

/** The end of a sweep: what it repaired, if anything. */
export interface Swept {
  /** Records whose change was not marked. */
  readonly unmarked: number;
  /** Keys whose numbers were wrong. */
  readonly wrong: readonly string[];
}

/**
 * The counts of the records of one type: exact at any moment. A write marks its record as not counted yet. A fold counts
 * marked records, and a reader adds those that are still marked.
 */
export interface RecordCounts {
  /** The number of selected records; undefined when it has to be counted in an index. */
  count(accountId: string, selection: Selection, options: () => ReadOptions): Promise<number | undefined>;
  /** Counts some marked records, or begins counts whose first sweep is due then. True when more may wait. */
  fold(accountId: string, firstSweepAt: Date): Promise<boolean>;
  /** Checks the next records; undefined while there are more. Returns what was repaired when all are checked. */
  sweep(accountId: string, now: Date): Promise<Swept | Held | undefined>;
  /** Some accounts with marked records. */
  waiting(): Promise<readonly string[]>;
  /**
   * Begins the counts again: an index is counted until a sweep, which begins then or later, has counted all records.
   * Records that are stored before then need no mark.
   */
  forget(accountId: string, until: Date): Promise<void>;
  /** Begins counts of accounts that have records and no counts; their first sweep is due then. */
  begin(dueAt: Date): Promise<void>;
}

/** Records of one fold, or of a page of a sweep; they are listed in the document of the counts meanwhile. */
const usualFoldSize = 500;
/** Above that many marked records an index is counted instead. */
const mostMarked = 5_000;
const mostTries = 5;
export const countsCollection = 'record_counts';

export const countsIdOf = (typeName: string, accountId: string): string => `${typeName} ${accountId}`;

export function createRecordCounts(connection: Connection, type: RecordType, foldSize = usualFoldSize): RecordCounts {
  const records = connection.collection<RecordDocument>(type.plural);
  const all = connection.collection<CountsDocument>(countsCollection);
  const safely = { writeConcern: durable };
  const fields = countedBy(type);
  const projection = { accountId: 1, version: 1, counted: 1, uncounted: 1, ...pathsOf(fields) };
  const keysIn = ({ accountId, values }: Counted): string[] => (isActivePlace(accountId) ? keysOf(type, values) : []);
  /** The keys under which the counts contain a record; none for a new one. */
  const countedAs = (row: Counted): readonly string[] => {
    const { fold, as, from } = row.counted ?? {};
    return as ?? (fold === undefined ? [] : (from?.[0] ?? keysIn(row)));
  };

  const markedOf = (accountId: string, limit: number, options: ReadOptions = {}): Promise<Counted[]> =>
    records
      .find<Counted>(
        { uncounted: true, accountId: { $in: placesOf(accountId) } },
        { projection, limit, hint: uncountedKey, ...options },
      )
      .toArray();

  /** Tells the pending records that they are counted; done again by any process, it changes nothing. */
  async function settle({ accountId, fold, pending }: Folded): Promise<void> {
    const groups = groupsOf(pending);
    const writes = (isUnchanged: boolean) =>
      groups.map(({ ids, version, was, as }) => ({
        updateMany: {
          // A record that a later fold has counted has another number.
          filter: {
            _id: { $in: ids },
            accountId: { $in: placesOf(accountId) },
            'counted.fold': was,
            ...(isUnchanged && { version }),
          },
          update: { $set: { counted: { as, fold } }, ...(isUnchanged && { $unset: { uncounted: '' as const } }) },
          // Without it the store would try all indexes of the account.
          hint: { _id: 1 } as const,
        },
      }));
    const { matchedCount } = await records.bulkWrite(writes(true), { ordered: false, ...safely });
    // The others were changed since, and keep their mark.
    if (matchedCount < pending.length) await records.bulkWrite(writes(false), { ordered: false, ...safely });
  }

  /** The counts, after the last fold is complete. */
  async function settled(accountId: string): Promise<CountsDocument | null> {
    const found = await all.findOne({ _id: countsIdOf(type.name, accountId) });
    if (found) await complete(found);
    return found;
  }

  async function complete(found: Folded): Promise<void> {
    const { _id, fold, pending } = found;
    if (pending.length === 0) return;
    await settle(found);
    await all.updateOne({ _id, fold }, { $set: { pending: [] } }, safely);
  }

  /** Stores a fold, then completes it. False when another process was faster. */
  async function advance(
    { _id, fold, accountId }: CountsDocument,
    rows: readonly Counted[],
    change: Partial<CountsDocument>,
  ): Promise<boolean> {
    const pending = rows.map((row): Pending => {
      const { _id: id, version, counted } = row;
      return { id, version, was: counted?.fold ?? null, as: keysIn(row) };
    });
    const next = { $set: { ...change, pending }, $inc: { fold: 1 } };
    const { matchedCount } = await all.updateOne({ _id, fold, pending: { $size: 0 } }, next, safely);
    if (matchedCount > 0) await complete({ _id, accountId, fold: fold + 1, pending });
    return matchedCount > 0;
  }

  const move = (row: Counted): Move => ({ from: countedAs(row), to: keysIn(row) });

  const insert = (accountId: string, dueAt: Date): Promise<boolean> => {
    const _id = countsIdOf(type.name, accountId);
    const empty = { fold: 0, counts: null, fields: [], pending: [], sweep: null };
    return unlessTaken(all.insertOne({ _id, accountId, type: type.name, ...empty, dueAt, heldUntil: dueAt }, safely));
  };

  return {
    async count(accountId, selection, options) {
      const counted = countedSelection(type, selection);
      if (!counted) return undefined;
      const { field, keys } = counted;
      for (let tries = 0; tries < mostTries; tries += 1) {
        const _id = countsIdOf(type.name, accountId);
        const found = await all.findOne({ _id }, { projection: { sweep: 0 }, ...options() });
        // An earlier release also ends sweeps of counts that are held.
        if (!found?.counts || found.heldUntil || (field !== undefined && !found.fields.includes(field)))
          return undefined;
        const marked = await markedOf(accountId, mostMarked, options());
        if (marked.length === mostMarked) return undefined;
        const after = await all.findOne({ _id }, { projection: { fold: 1 }, ...options() });
        // Otherwise some of the marked ones are counted already.
        if (after?.fold === found.fold)
          return numberOf(
            keys,
            found,
            marked.map((row) => [row._id, move(row)]),
          );
      }
      return undefined;
    },
    async fold(accountId, dueAt) {
      const found = await settled(accountId);
      if (!found) return insert(accountId, dueAt);
      const { counts, sweep } = found;
      const rows = await markedOf(accountId, foldSize);
      if (rows.length === 0) return false;
      const passed = sweep && rows.filter(({ _id }) => _id <= sweep.after);
      const isStored = await advance(found, rows, {
        counts: counts && moved(counts, rows.map(move)),
        sweep: sweep && passed && { ...sweep, counts: moved(sweep.counts, passed.map(move)) },
      });
      return !isStored || rows.length === foldSize;
    },
    async sweep(accountId, now) {
      const found = await settled(accountId);
      if (!found) return nothingRepaired;
      const { counts, fields: before, heldUntil } = found;
      if (heldUntil && heldUntil > now) return { heldUntil };
      // A sweep by other fields, of another release, begins again.
      const progress = found.sweep && sameKeys(found.sweep.fields, fields) ? found.sweep : undefined;
      const { after, counts: tally, unmarked } = progress ?? { after: 0, counts: {}, unmarked: 0 };
      const page = await records
        .find<Counted>(
          { accountId: { $in: placesOf(accountId) }, _id: { $gt: after } },
          { projection, hint: { accountId: 1, _id: 1 } },
        )
        .sort({ _id: 1 })
        .limit(foldSize)
        .toArray();
      const moves = page.map(move);
      const wrong = page.filter((row) => !sameKeys(countedAs(row), keysIn(row)));
      // The first sweep finds records that no release has marked.
      const isFirst = counts === null || Boolean(heldUntil) || !sameKeys(before, fields);
      const left = unmarked + (isFirst ? 0 : wrong.filter((row) => !row.uncounted).length);
      const swept = moved(
        tally,
        moves.map(({ to }) => ({ from: [], to })),
      );
      const kept = counts && moved(counts, moves);
      const last = page.length < foldSize;
      const isStored = await advance(
        found,
        page.filter((row) => row.uncounted || wrong.includes(row)),
        last
          ? { counts: swept, fields, sweep: null, heldUntil: null }
          : { counts: kept, sweep: { after: page.at(-1)!._id, fields, counts: swept, unmarked: left } },
      );
      if (!isStored || !last) return undefined;
      return isFirst ? nothingRepaired : { unmarked: left, wrong: differences(kept ?? {}, swept) };
    },
    async forget(accountId, until) {
      const forgotten = {
        $set: { counts: null, sweep: null, dueAt: until },
        $max: { heldUntil: until },
        // The lease of a sweep under way, which would otherwise set when the next one is due.
        $unset: { owner: '' as const },
        // A fold or sweep that read the counts before cannot store them any more.
        $inc: { fold: 1 },
        // Otherwise counts that are begun meanwhile, by a process that was slow, could end sooner.
        $setOnInsert: { accountId, type: type.name, fields: [], pending: [] },
      };
      const _id = countsIdOf(type.name, accountId);
      while (!(await unlessTaken(all.updateOne({ _id }, forgotten, { ...safely, upsert: true })))) continue;
    },
    async waiting() {
      const some = await records
        .find({ uncounted: true }, { projection: { accountId: 1 }, limit: mostMarked, hint: uncountedKey })
        .toArray();
      return [...new Set(some.map(({ accountId }) => accountOfPlace(accountId)))];
    },
    async begin(dueAt) {
      const accounts = [...new Set((await records.distinct('accountId')).map(accountOfPlace))];
      const ids = accounts.map((accountId) => countsIdOf(type.name, accountId));
      const known = await all.find({ _id: { $in: ids } }, { projection: { accountId: 1 } }).toArray();
      const begun = new Set(known.map(({ accountId }) => accountId));
      for (const accountId of accounts) if (!begun.has(accountId)) await insert(accountId, dueAt);
    },
  };
}

/** Pending records with the same note; one command for many costs a fraction of one for each. */
function groupsOf(pending: readonly Pending[]): readonly (Omit<Pending, 'id'> & { readonly ids: number[] })[] {
  const groups = new Map<string, Omit<Pending, 'id'> & { readonly ids: number[] }>();
  for (const { id, ...same } of pending) {
    const key = JSON.stringify([same.version, same.was, same.as]);
    const group = groups.get(key) ?? { ...same, ids: [] };
    group.ids.push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

const nothingRepaired: Swept = { unmarked: 0, wrong: [] };

const pathsOf = (fields: readonly string[]): Record<string, 1> =>
  Object.fromEntries(fields.map((name) => [`values.${name}`, 1]));

/** The number under some keys; a record has at most one of them. */
function numberOf(
  keys: readonly string[],
  { counts, pending }: CountsDocument,
  marked: readonly (readonly [id: number, move: Move])[],
): number {
  const counted = keys.reduce((sum, key) => sum + (counts?.[key] ?? 0), 0);
  const pendingAs = new Map(pending.map(({ id, as }) => [id, as]));
  const has = (those: readonly string[]): number => (those.some((key) => keys.includes(key)) ? 1 : 0);
  return marked.reduce((sum, [id, { from, to }]) => sum + has(to) - has(pendingAs.get(id) ?? from), counted);
}
