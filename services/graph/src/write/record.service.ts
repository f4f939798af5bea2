import { orNull } from '@itsm/shared/api/graphql/node-resolvers';
import { madeBefore } from '@itsm/shared/base/concurrency/present-call';
import { stale, writeAgain } from '@itsm/shared/base/concurrency/write-again';
import type { Precondition } from '@itsm/shared/api/http/if-match';
import { AppError, forbidden, notFound } from '@itsm/shared/base/errors/app-error';
import type { Caller } from '@itsm/shared/api/identity/caller';
import type { Sequence } from '@itsm/shared/stores/mongo/sequence';
import type { Clock } from '@itsm/shared/base/time/clock';
import { changed, created, hasNewSource, newRecord } from './made-record';
import { withFiles } from './with-files';
import type { PlacedFiles } from '../attachments/placed-files';
import type { RecordFile } from '../store/record-files.repository';
import type { GivenFiles } from './given-files';
import { checkExtension, checkForeignFiles } from './file-changes';
import type { FileChanges, FilesChange } from './file-changes';
import { peopleOf } from '@itsm/shared/declared/read-value';
import type { Field } from '@itsm/shared/declared/language';
import { idIn, idsIn, textIn } from '@itsm/shared/declared/values';
import type { ItsmRecord } from '../record-types/record';
import type { Values } from '@itsm/shared/declared/values';
import { reachOf } from '../read/record-access';
import { lifeCycleStates, stateOf } from '../record-types/life-cycle';
import type { LifeCycleState } from '../record-types/life-cycle';
import { readable } from '../store/record-selection';
import { filesMember, refused } from './record.input';
import type { GivenNote, ParsedInput, ParsedStep } from './record.input';
import type { OpenLookups } from '../read/record-lookups';
import { withCustomFields } from './custom-fields';
import { checkReferences } from './record-references';
import { checkNote, checkOwner, checkRules, checkStep, withoutForeign } from './record-rules';
import { ownersOf } from '../record-types/record-type';
import type { OwnerStep, RecordType } from '../record-types/record-type';
import type { NewNote, RecordWriter } from './record-writer';
import type { RecordRepository } from '../store/record.repository';
import { checkSource, outcomeOf, setAside } from './outcome';
import type { Outcome } from './outcome';

/** The dependencies of writing one record type. */
export interface WritingDependencies {
  readonly type: RecordType;
  readonly repository: RecordRepository;
  readonly openLookups: OpenLookups;
  readonly writer: RecordWriter;
  readonly sequence: Sequence;
  readonly placedFiles: PlacedFiles;
  readonly files: FileChanges;
  readonly nodeIdDomain: string;
  readonly now: Clock;
}

type Check = Precondition<ItsmRecord>;

/** What a change is given: values and faults, which may depend on the values that it changes, a note, and files. */
interface Given {
  readonly note?: NewNote | undefined;
  readonly files?: readonly GivenFiles[];
  /** Those that were taken for it. */
  readonly added?: readonly RecordFile[];
  readonly read: (
    before: Values,
  ) => Pick<ParsedInput, 'values' | 'errors'> | Promise<Pick<ParsedInput, 'values' | 'errors'>>;
}

/** A person of a field; undefined for what is no id of a person. */
interface Related {
  readonly field: Field;
  readonly person: number | undefined;
}

/** The use cases of one record type. */
export interface RecordService {
  readonly type: RecordType;
  create(accountId: string, caller: Caller, given: ParsedInput): Promise<Outcome>;
  /** Throws "Not Found" for an id that the caller does not see, and what `check` throws for the record as it is. */
  update(accountId: string, caller: Caller, id: number, given: ParsedInput, check?: Check): Promise<Outcome>;
  /** Archives, trashes or restores a record; one that is in that state already is not changed. */
  move(accountId: string, caller: Caller, id: number, to: LifeCycleState, check?: Check): Promise<Outcome>;
  /** Throws "Forbidden" for those to whom the record does not belong. */
  take(
    accountId: string,
    caller: Caller,
    id: number,
    step: OwnerStep,
    given: ParsedStep,
    check?: Check,
  ): Promise<Outcome>;
  /** Adds a person to those of a field. */
  addPerson(accountId: string, caller: Caller, id: number, added: Related, check?: Check): Promise<Outcome>;
  /** Throws "Not Found" for a person who is not among those of the field. */
  removePerson(accountId: string, caller: Caller, id: number, removed: Related, check?: Check): Promise<Outcome>;
  /** Adds a note to a record that the caller sees; throws "Not Found" for any other. */
  addNote(accountId: string, caller: Caller, id: number, note: GivenNote): Promise<Outcome>;
  /** Creates the record unless its source and source ID exist already (idempotent); publishes no events. */
  ensure(accountId: string, values: Values, createdAt?: Date): Promise<ItsmRecord>;
}

/** High, as a record may have many concurrent writers: imports, integrations and people. */
export const triesToReplace = 100;

const busy = (): never => {
  throw new AppError('conflict', 'The record is being changed by too many others; try again');
};

export function createRecordService(dependencies: WritingDependencies): RecordService {
  const { type, repository, openLookups, writer, sequence, placedFiles, files: fileChanges, now } = dependencies;

  async function find(accountId: string, caller: Caller, id: number, states = readable): Promise<ItsmRecord> {
    const selection = { reach: reachOf(type, caller), conditions: [], states };
    const [found] = await repository.findMany(accountId, [id], selection);
    if (!found) throw notFound();
    return found;
  }

  /** Optimistic concurrency: reads, changes and writes, and retries when a concurrent change won. */
  function change(
    accountId: string,
    caller: Caller,
    id: number,
    { read, note, files = [], added = [] }: Given,
    check?: Check,
  ): Promise<Outcome> {
    const lookups = openLookups(accountId);
    const attempt = async () => {
      const before = await find(accountId, caller, id);
      await check?.(before);
      if (before.aside) return { errors: [setAside(before.aside)] };
      const moment = { personId: caller.personId, accountId, now: now() };
      const { values, errors } = await read(before.values);
      const planned = await fileChanges.plan(accountId, id, files, added);
      const after = withFlag(changed(type, before, values, moment), planned.change);
      const refusals = [
        ...errors,
        ...checkRules(type, before.values, after.values, moment, errors),
        ...(hasNewSource(values) ? await checkSource(dependencies, accountId, after.values) : []),
        ...planned.errors,
        ...checkExtension(type, after.values, files),
      ];
      if (refusals.length > 0) return { errors: refusals };
      const write = { type, before, after, actor: actorOf(caller), files: planned.change };
      const result = await writer.write(write, lookups, { note });
      if (result.written === 'unchanged') return { record: before, isUnchanged: true as const };
      if (result.written === 'stale') return stale;
      return { ...outcomeOf(type, result.written, after), ...(result.note && { note: result.note }) };
    };
    return writeAgain<Outcome>(attempt, { busy, tries: triesToReplace });
  }

  const filesFor = (
    caller: Caller,
    recordId: number,
    note: GivenNote | undefined,
    files: readonly GivenFiles[] = [],
  ) => {
    const record = { recordType: type.name, recordId };
    return { placedFiles, caller, note, files, record, member: filesMember({ internal: note?.internal ?? false }) };
  };

  return {
    type,
    async create(accountId, caller, { values: read, note, files, errors: unreadable }) {
      const made = await madeBefore((id) => orNull(() => find(accountId, caller, id, lifeCycleStates)));
      // Made again it would have the number of the one in the trash.
      if (made?.aside?.state === 'trashed') throw notFound();
      if (made) return { record: made };
      const lookups = openLookups(accountId);
      const { values: given, errors: foreign } = withoutForeign(type, caller, read);
      const references = await checkReferences(lookups, type, given);
      const notTheirs = [...foreign, ...checkForeignFiles(type, caller, files), ...checkNote(caller, note)];
      const unfit = [...unreadable, ...notTheirs, ...references];
      const custom = await withCustomFields(lookups, type, undefined, given, unfit);
      const errors = [...unfit, ...custom.errors];
      const moment = { personId: caller.personId, accountId, now: now() };
      const values = created(type, custom.values, moment);
      const refusals = [
        ...errors,
        ...checkRules(type, undefined, values, moment, errors),
        ...checkOwner(type, caller, values),
        ...(await checkSource(dependencies, accountId, values)),
        ...checkExtension(type, values, files),
      ];
      if (refusals.length > 0) return { errors: refusals };
      const fresh = newRecord(await sequence.next(type.name), values, moment);
      return withFiles(filesFor(caller, fresh.id, note, files), async ({ note: filled, added }) => {
        const planned = await fileChanges.plan(accountId, fresh.id, files, added);
        if (planned.errors.length > 0) return { errors: planned.errors };
        const after = withFlag(fresh, planned.change);
        const write = { type, before: undefined, after, actor: actorOf(caller), files: planned.change };
        const { written } = await writer.write(write, lookups, { note: filled });
        return outcomeOf(type, written, after);
      });
    },
    async update(accountId, caller, id, { values, note, files, errors }, check) {
      const lookups = openLookups(accountId);
      const unfit = [...errors, ...checkNote(caller, note), ...(await checkReferences(lookups, type, values))];
      const read: Given['read'] = async (before) => {
        const custom = await withCustomFields(lookups, type, before, values, unfit);
        return { values: custom.values, errors: [...unfit, ...custom.errors] };
      };
      const wanted = await fileChanges.unheld(accountId, id, files);
      return withFiles(filesFor(caller, id, note, wanted), ({ note: filled, added }) =>
        change(accountId, caller, id, { note: filled, files: wanted, added, read }, check),
      );
    },
    async move(accountId, caller, id, to, check) {
      const lookups = openLookups(accountId);
      const attempt = async () => {
        const before = await find(accountId, caller, id, lifeCycleStates);
        await check?.(before);
        if (stateOf(before) === to) return { record: before };
        if (before.aside?.state === 'trashed' && to === 'archived') return { errors: [setAside(before.aside)] };
        const { aside: _left, ...record } = { ...before, updatedAt: now(), version: before.version + 1 };
        const actor = actorOf(caller);
        const aside = to !== 'active' && { state: to, at: now(), by: actor, entry: await sequence.draw('set_aside') };
        const after = { ...record, ...(aside && { aside }) };
        const { written } = await writer.write({ type, before, after, actor }, lookups);
        return written === 'stale' ? stale : outcomeOf(type, written, after);
      };
      return writeAgain<Outcome>(attempt, { busy, tries: triesToReplace });
    },
    take(accountId, caller, id, step, { note, flags, errors }, check) {
      const read: Given['read'] = (before) => {
        if (!ownersOf(type).some((name) => idIn(before, name) === caller.personId)) throw forbidden();
        const problems = [...errors, ...checkStep(type, step, before, now())];
        return { values: problems.length > 0 ? {} : step.sets(before, flags), errors: problems };
      };
      return withFiles(filesFor(caller, id, note), ({ note: filled }) =>
        change(accountId, caller, id, { note: filled, read }, check),
      );
    },
    async addPerson(accountId, caller, id, { field, person }, check) {
      const isSeen = person !== undefined && (await openLookups(accountId).seenPerson(person)) !== undefined;
      const read: Given['read'] = (before) => {
        if (!isSeen) return { values: {}, errors: [{ message: 'Person was not found', path: ['personId'] }] };
        const parsed = peopleOf([...new Set([...idsIn(before, field.name), person])]);
        if ('problem' in parsed) return { values: {}, errors: [refused(field, parsed.problem)] };
        return { values: { [field.name]: parsed.value }, errors: [] };
      };
      return change(accountId, caller, id, { read }, check);
    },
    async removePerson(accountId, caller, id, { field, person }, check) {
      const read: Given['read'] = (before) => {
        const people = idsIn(before, field.name);
        if (person === undefined || !people.includes(person)) throw notFound();
        return { values: { [field.name]: people.filter((one) => one !== person) }, errors: [] };
      };
      return change(accountId, caller, id, { read }, check);
    },
    addNote: (accountId, caller, id, note) =>
      withFiles(
        { ...filesFor(caller, id, note), member: { name: 'attachments', label: 'Attachments' } },
        ({ note: filled }) =>
          change(accountId, caller, id, {
            note: filled,
            read: (before) => ({
              values: isAnswer(type, caller, before) ? (type.answered?.(before) ?? {}) : {},
              errors: [],
            }),
          }),
      ),
    async ensure(accountId, given, createdAt = now()) {
      const pair = { source: textIn(given, 'source') ?? '', sourceID: textIn(given, 'sourceID') ?? '' };
      const existing = await repository.findBySource(accountId, [pair]);
      if (existing[0]) return existing[0];
      const moment = { personId: null, accountId, now: createdAt };
      const record = newRecord(await sequence.next(type.name), created(type, given, moment), moment);
      if ((await repository.insert(record, [])) === 'written') return record;
      const [others] = await repository.findBySource(accountId, [pair]);
      if (!others) throw new Error(`${type.name} ${pair.source} ${pair.sourceID} could not be made`);
      return others;
    },
  };
}

/** The record that says whether it has files after a change of them. */
const withFlag = (record: ItsmRecord, files: FilesChange | undefined): ItsmRecord =>
  files ? { ...record, hasFiles: files.after.length > 0 } : record;

/** Whether a note of the caller is an answer: of one to whom the record belongs, and who does not work on it. */
const isAnswer = (type: RecordType, { personId }: Caller, before: Values): boolean =>
  idIn(before, 'member') !== personId && ownersOf(type).some((name) => idIn(before, name) === personId);

export const actorOf = ({ personId, name }: Caller) => ({ id: personId, name });
