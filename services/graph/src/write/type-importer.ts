import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import { forbidden } from '@itsm/shared/base/errors/app-error';
import { checkAllowed } from '@itsm/shared/api/identity/allow';
import type { Caller } from '@itsm/shared/api/identity/caller';
import { parseRecordId } from '@itsm/shared/base/ids/node-id';
import type { Trail } from '../store/trail';
import type { TrailRepository } from '../store/trail.repository';
import { changesBetween } from '../record-types/record';
import type { ItsmRecord } from '../record-types/record';
import type { Values } from '@itsm/shared/declared/values';
import { seesAccount } from '@itsm/shared/api/identity/sees-account';
import type { ImportColumns, ImportRow, RowOutcome } from '@itsm/shared/declared/file-rows';
import type { ImportNumbers, ReservedNumbers } from './record-import';
import { withCustomFields } from './custom-fields';
import { columnFinder } from './file-columns';
import { columnsOf, parseCells, restPath } from './record.input';
import type { ValidationError } from './record.input';
import type { NewNote } from './record-writer';
import type { Lookups } from '../read/record-lookups';
import { checkReferences } from './record-references';
import { checkRules } from './record-rules';
import { everything } from '../store/record-selection';
import { modelName } from '../record-types/record-type';
import type { Moment } from '../record-types/record-type';
import { auditLineFor } from './record-writer';
import { lifeCycleStates } from '../record-types/life-cycle';
import { changed, created, hasNewSource, newRecord, pairIn } from './made-record';
import { checkSource, outcomeOf, setAside } from './outcome';
import { actorOf, triesToReplace } from './record.service';
import type { WritingDependencies } from './record.service';

/** The importer of one record type; see `RecordImporter`. */
export interface TypeImporter {
  readonly columns: ImportColumns;
  check(caller: Caller): void;
  reserve(rows: number): Promise<ReservedNumbers>;
  importRows(
    accountId: string,
    caller: Caller,
    rows: readonly ImportRow[],
    how?: ImportNumbers,
  ): Promise<readonly RowOutcome[]>;
}

interface Dependencies extends WritingDependencies {
  readonly trails: TrailRepository;
}

interface Line {
  readonly index: number;
  readonly row: ImportRow;
  readonly values: Values;
  readonly note: NewNote | undefined;
  readonly errors: readonly ValidationError[];
  /** The record to update, when the row has an id. */
  readonly id: number | undefined;
  readonly key: string | undefined;
}

interface Creation {
  readonly line: Line;
  readonly values: Values;
}

/** What all rows of one call share. */
interface Work {
  readonly caller: Caller;
  readonly lookups: Lookups;
  readonly numbers: ReservedNumbers;
  readonly isDryRun: boolean;
}

/** A dry run has no numbers: none of its rows is that of a record. */
const noNumbers: ReservedNumbers = { record: NaN, auditLine: NaN, note: NaN, rows: 0 };

export function createTypeImporter(dependencies: Dependencies): TypeImporter {
  const { type, repository, trails, openLookups, writer, sequence, nodeIdDomain, now } = dependencies;

  async function readLine(lookups: Lookups, timeZone: string, row: ImportRow, index: number): Promise<Line> {
    const { values, note, errors } = parseCells(type, { nodeIdDomain, timeZone }, row);
    const cell = row['id']?.trim() ?? '';
    const id = cell === '' ? undefined : parseRecordId(nodeIdDomain, type.graphqlName, cell);
    const unknown = await checkReferences(lookups, type, values);
    const badId = cell !== '' && id === undefined ? [notFoundId] : [];
    // A file has no columns for attachments.
    const added = note && { ...note, attachments: [] };
    return { index, row, values, note: added, errors: [...badId, ...errors, ...unknown], id, key: keyOf(id, values) };
  }

  async function findExisting(accountId: string, lines: readonly Line[]): Promise<ReadonlyMap<string, ItsmRecord>> {
    const ids = lines.flatMap(({ id }) => id ?? []);
    const pairs = lines.flatMap(({ id, values }) => (id === undefined ? (pairIn(values) ?? []) : []));
    const [byIds, bySource] = await Promise.all([
      ids.length > 0 ? repository.findMany(accountId, ids, { ...everything, states: lifeCycleStates }) : [],
      pairs.length > 0 ? repository.findBySource(accountId, pairs) : [],
    ]);
    return new Map([
      ...byIds.map((record) => [keyOf(record.id, {}) ?? '', record] as const),
      ...bySource.map((record) => [keyOf(undefined, record.values) ?? '', record] as const),
    ]);
  }

  async function reserve(rows: number): Promise<ReservedNumbers> {
    const [record, auditLine, note] = await Promise.all([
      sequence.reserve(type.name, rows),
      sequence.reserve('audit_line', rows),
      sequence.reserve('note', rows),
    ]);
    return { record, auditLine, note, rows };
  }

  async function change(
    line: Line,
    first: ItsmRecord,
    { caller, lookups, numbers, isDryRun }: Work,
  ): Promise<RowOutcome> {
    const noteId = numbers.note + line.index;
    let before: ItsmRecord | undefined = first;
    const attempt = async (): Promise<RowOutcome | typeof stale> => {
      if (!before) return busy();
      const moment = { personId: caller.personId, accountId: first.accountId, now: now() };
      const custom = await withCustomFields(lookups, type, before.values, line.values);
      const after = changed(type, before, custom.values, moment);
      const errors = [
        ...custom.errors,
        ...checkRules(type, before.values, after.values, moment, []),
        // Without an id it is the source that names the record.
        ...(line.id !== undefined && hasNewSource(line.values)
          ? await checkSource(dependencies, first.accountId, after.values)
          : []),
      ];
      if (errors.length > 0) return { errors };
      if (isDryRun) {
        const isChanged = line.note !== undefined || changesBetween(type, before.values, after.values).length > 0;
        return { outcome: isChanged ? 'updated' : 'unchanged' };
      }
      const write = { type, before, after, actor: actorOf(caller) };
      const { written } = await writer.write(write, lookups, { note: line.note, noteId, silent: true });
      if (written === 'stale') {
        [before] = await repository.findMany(first.accountId, [first.id], everything);
        return stale;
      }
      const outcome = outcomeOf(type, written, after);
      if ('errors' in outcome) return outcome;
      return { outcome: written === 'unchanged' ? 'unchanged' : 'updated' };
    };
    return writeAgain(attempt, { busy, tries: triesToReplace });
  }

  /**
   * Inserts trails before records: a crash in between leaves trails without a record, which nobody sees, but never a
   * record without its trail.
   */
  async function createAll(creations: readonly Creation[], { caller, numbers, isDryRun }: Work, moment: Moment) {
    if (creations.length === 0) return [];
    if (isDryRun) return creations.map((): RowOutcome => ({ outcome: 'created' }));
    const records = creations.map(({ line, values }) => newRecord(numbers.record + line.index, values, moment));
    const person = actorOf(caller);
    const left = records.map((after, index): Trail => {
      const { index: nr, note } = creations[index]!.line;
      const about = {
        accountId: after.accountId,
        recordType: type.name,
        recordId: after.id,
        at: after.updatedAt,
        person,
      };
      return {
        auditLine: auditLineFor({ type, before: undefined, after, actor: person }, numbers.auditLine + nr),
        note: note && { id: numbers.note + nr, ...about, ...note, mentions: [] },
      };
    });
    await trails.keep(left);
    const written = await repository.insertMany(records);
    return records.map((record, index): RowOutcome => {
      const outcome = outcomeOf(type, written[index] ?? 'written', record);
      return 'errors' in outcome ? outcome : { outcome: 'created' };
    });
  }

  async function importLines(work: Work, lines: readonly Line[]) {
    const { caller, lookups, numbers } = work;
    const { accountId } = lookups;
    const outcomes = new Map<number, RowOutcome>();
    const existing = await findExisting(accountId, lines);
    const moment = { personId: caller.personId, accountId, now: now() };
    const creations: Creation[] = [];
    const changes: Promise<unknown>[] = [];
    for (const line of lines) {
      const before = line.key === undefined ? undefined : existing.get(line.key);
      if (line.errors.length > 0) outcomes.set(line.index, { errors: line.errors });
      // A retry: this row created it in the previous attempt.
      else if (before?.id === numbers.record + line.index) outcomes.set(line.index, { outcome: 'created' });
      else if (before?.aside) outcomes.set(line.index, { errors: [setAside(before.aside)] });
      else if (before) {
        changes.push(change(line, before, work).then((outcome) => outcomes.set(line.index, outcome)));
      } else if (line.id !== undefined) outcomes.set(line.index, { errors: [notFoundId] });
      else {
        const custom = await withCustomFields(lookups, type, undefined, line.values);
        const values = created(type, custom.values, moment);
        const errors = [...custom.errors, ...checkRules(type, undefined, values, moment, [])];
        if (errors.length > 0) outcomes.set(line.index, { errors });
        else creations.push({ line, values });
      }
    }
    const madeOutcomes = await createAll(creations, work, moment);
    madeOutcomes.forEach((outcome, index) => outcomes.set(creations[index]?.line.index ?? -1, outcome));
    await Promise.all(changes);
    return outcomes;
  }

  return {
    columns: { names: ['id', ...columnsOf(type)], find: columnFinder(type) },
    check(caller) {
      checkAllowed(caller, `${modelName(type)}:Create`, type.mutations.create);
      checkAllowed(caller, `${modelName(type)}:Update`, type.mutations.update);
      if (!seesAccount(caller)) throw forbidden();
    },
    reserve,
    async importRows(accountId, caller, rows, how) {
      const lookups = openLookups(accountId);
      const isDryRun = how === 'dry run';
      const numbers = isDryRun ? noNumbers : how && how.rows >= rows.length ? how : await reserve(rows.length);
      let waiting = await Promise.all(rows.map((row, index) => readLine(lookups, caller.timeZone, row, index)));
      const outcomes = new Map<number, RowOutcome>();
      // Rows for the same record are applied one after the other, in row order.
      while (waiting.length > 0) {
        const { first, later } = firstOfEach(waiting);
        for (const [index, outcome] of await importLines({ caller, lookups, numbers, isDryRun }, first))
          outcomes.set(index, outcome);
        waiting = later;
      }
      return rows.map((_row, index) => byColumn(outcomes.get(index) ?? { outcome: 'unchanged' }));
    },
  };
}

/** Names the columns in errors, which name the members of a mutation's input. */
const byColumn = (outcome: RowOutcome): RowOutcome =>
  'outcome' in outcome
    ? outcome
    : { errors: outcome.errors.map(({ message, path }) => ({ message, path: restPath(path) })) };

const busy = (): RowOutcome => ({
  errors: [{ message: 'The record is being changed by too many others', path: [] }],
});

const notFoundId: ValidationError = { message: 'Id was not found', path: ['id'] };

/** A key that is equal for rows of the same record. */
function keyOf(id: number | undefined, values: Values): string | undefined {
  if (id !== undefined) return `id ${id}`;
  const pair = pairIn(values);
  return pair && JSON.stringify([pair.source, pair.sourceID]);
}

function firstOfEach(lines: readonly Line[]): { first: Line[]; later: Line[] } {
  const seen = new Set<string>();
  const first: Line[] = [];
  const later: Line[] = [];
  for (const line of lines) {
    if (line.key !== undefined && seen.has(line.key)) later.push(line);
    else first.push(line);
    if (line.key !== undefined) seen.add(line.key);
  }
  return { first, later };
}
