import { pushToOutbox, withOutbox } from '@itsm/shared/messages/outbox/outbox';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import { isNegated } from '@itsm/shared/api/rest/filter';
import type { OrderStep } from '@itsm/shared/api/rest/order';
import { badRequest } from '@itsm/shared/base/errors/app-error';
import { readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import type { ReadOptions, ReadWeight } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { asOneOfTexts, asText } from '@itsm/shared/stores/mongo/partial-index';
import { systemClock } from '@itsm/shared/base/time/clock';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { Connection } from 'mongoose';
import type { ItsmRecord } from '../record-types/record';
import { indexesOf } from './record-indexes';
import { keysOfRecord, sameKeys } from './record-keys';
import { isServed, partsOf, sortOf } from './record-page';
import type { Place } from './record-page';
import { createRecordCount } from './record-count';
import { unlessExpired, within } from './time-left';
import type { Within } from './time-left';
import { farStep, planSearch, quickSteps } from './record-search';
import type { Search } from './record-search';
import { scanRecords } from './record-scan';
import type { Found } from './record-scan';
import type { RecordFile } from './record-files.repository';
import { refusedOf, written } from './record-outcome';
import type { Written } from './record-outcome';
import { recordSchema, toDocument, toRecord } from './record.document';
import type { RecordDocument } from './record.document';
import { placeOf, placesOf } from './record-places';
import { placeWhere, toWhere } from './record-selection';
import type { Selection } from './record-selection';
import type { RecordType } from '../record-types/record-type';
import { ensureIndexes } from '@itsm/shared/stores/mongo/ensure-index';

/** Up to `limit` records in `order`, after the position `start`. */
export interface Stretch {
  readonly order: readonly OrderStep[];
  readonly start?: Place | undefined;
  readonly skip?: number;
  readonly limit: number;
}

export interface SourcePair {
  readonly source: string;
  readonly sourceID: string;
}

/** The records of one type; each write is one atomic change of one document, outbox included. */
export interface RecordRepository {
  readonly type: RecordType;
  ensureIndexes(): Promise<void>;
  insert(record: ItsmRecord, outbox: readonly OutboxEntry[], files?: readonly RecordFile[]): Promise<Written>;
  /**
   * Bulk insert for records that no client waits for; returns the outcome of each. Idempotent: a number that is stored
   * already counts as written.
   */
  insertMany(records: readonly ItsmRecord[]): Promise<readonly Written[]>;
  /** Replaces the version `before` by `after` (compare-and-set on the version); without `files` it has those of before. */
  replace(
    before: ItsmRecord,
    after: ItsmRecord,
    outbox: readonly OutboxEntry[],
    files?: readonly RecordFile[],
  ): Promise<Written>;
  findMany(accountId: string, ids: readonly number[], selection: Selection): Promise<readonly ItsmRecord[]>;
  /** Those of any state; active ones last. */
  findBySource(accountId: string, pairs: readonly SourcePair[]): Promise<readonly ItsmRecord[]>;
  list(accountId: string, selection: Selection, stretch: Stretch): Promise<readonly ItsmRecord[]>;
  /** Like `list`, but stops after some milliseconds when many records meet each condition, but few or none meet all. */
  page(accountId: string, selection: Selection, stretch: Omit<Stretch, 'skip'>): Promise<Found>;
  /** Exact; 400 when more match than can be counted in time. */
  count(accountId: string, selection: Selection): Promise<number>;
}

/** What is not read with a record: what serves indexes and the outbox, and files, which few ask for. */
export const withoutIndexed = {
  outbox: 0,
  outboxAt: 0,
  outboxLeaseUntil: 0,
  outboxOwner: 0,
  words: 0,
  customKeys: 0,
  owners: 0,
  files: 0,
  counted: 0,
  uncounted: 0,
} as const;

const uncounted = { uncounted: true } as const;
/** Without keys: an import would take a tenth longer to write them. */
const asItIs = { fold: 0 } as const;

/** The limit of records that are sorted without an index. */
const mostOrdered = 10_000;

/** The time limit of a scan along the order for common words. */
const walkMilliseconds = 100;
/** From so many records at once on, as of an import, the counts are begun again. */
const leastBulk = 50;

/**
 * The time limits, in milliseconds. A list and its count run one after the other, and the gateway waits 9 s for both.
 */
const usualLimits = { search: 4_000, count: 1_000 } as const;

export interface RepositoryOptions {
  readonly search?: number;
  readonly count?: number;
  /** For the time after which a page ends. */
  readonly now?: Clock;
  /** Hears how many records of an account the counts do not contain yet. */
  readonly onUncounted?: (accountId: string, records: number) => void;
  /** Lets a sweep count all records of an account, which is cheaper than marking each of many. */
  readonly forgetCounts?: (accountId: string) => Promise<void>;
}

/** A planned read; all its queries share the time that is left. */
interface Planned {
  readonly search: Search;
  readonly plan: (steps: readonly number[]) => Promise<Search>;
  readonly left: Within;
  readonly options: () => ReadOptions;
}

/**
 * Throws `MongoServerError` for anything that is not a `Written` outcome; 400 for a search or count that takes longer
 * than its limit.
 */
export function createRecordRepository(
  connection: Connection,
  type: RecordType,
  options: RepositoryOptions = {},
): RecordRepository {
  const {
    search: searchMilliseconds,
    count: countMilliseconds,
    now,
    onUncounted,
    forgetCounts,
  } = {
    ...usualLimits,
    now: systemClock,
    onUncounted: () => undefined,
    forgetCounts: async () => undefined,
    ...options,
  };
  const model = connection.model<RecordDocument>(type.graphqlName, recordSchema(type), type.plural);
  const find = (where: object) => model.find(where, withoutIndexed);

  async function checkOrder(where: object, order: readonly OrderStep[], hint: object): Promise<void> {
    if (isServed(type, order)) return;
    const count = await model.countDocuments(where, { ...hint, limit: mostOrdered + 1 });
    if (count <= mostOrdered) return;
    const names = order.map(({ field }) => field).join(', ');
    throw badRequest(`Only up to ${mostOrdered} records are ordered by ${names}; narrow them by a filter`);
  }

  async function walk(
    accountId: string,
    { selection, hint, open }: Search,
    { order, start, skip = 0, limit }: Stretch,
    left: Within,
  ): Promise<readonly ItsmRecord[]> {
    const where = toWhere(type, accountId, selection);
    const found: ItsmRecord[] = [];
    const parts = partsOf(type, order, start);
    let unpassed = skip;
    for (const part of parts) {
      const wanted = limit - found.length;
      if (wanted <= 0) break;
      const those = { $and: [where, part.where, ...(open ? [open] : [])] };
      const isCounted = unpassed > 0 && parts.length > 1;
      const before = isCounted ? await model.countDocuments(those, { ...left(), ...hint }) : unpassed;
      const passed = Math.min(unpassed, before);
      unpassed -= passed;
      const page = find(those).sort(sortOf(part.order)).skip(passed).limit(wanted);
      const query = page.setOptions({ ...left(), ...hint });
      found.push(...(await query.lean()).map(toRecord));
    }
    return found;
  }

  /** Reads on behalf of the caller, by a plan. */
  const searched = <T>(
    accountId: string,
    selection: Selection,
    order: readonly OrderStep[],
    read: (planned: Planned) => Promise<T>,
  ): Promise<T> =>
    readForCaller(connection, weightOf(type, selection, order), async (options) => {
      const left = within(searchMilliseconds, options);
      const plan = (steps: readonly number[]): Promise<Search> =>
        planSearch(model, type, accountId, selection, { steps, order, within: left });
      const search = await plan(quickSteps);
      await checkOrder(toWhere(type, accountId, search.selection), order, { ...left(), ...search.hint });
      return read({ search, plan, left, options });
    });

  const repository: RecordRepository = {
    type,
    async ensureIndexes() {
      await ensureIndexes(model.collection, indexesOf(type));
    },
    insert: (record, outbox, files) =>
      written(async () => {
        // The type has validated every value already; mongoose's casting would take longer than the rest of the write.
        const made = { ...toDocument(type, record), ...(files && { files }), ...uncounted };
        const document = { ...made, ...withOutbox(outbox, record.updatedAt) };
        await model.collection.insertOne(document as object, { writeConcern: durable });
        onUncounted(record.accountId, 1);
        return true;
      }),
    async insertMany(records) {
      const accounts = [...new Set(records.map(({ accountId }) => accountId))];
      const isBulk = records.length >= leastBulk;
      const mark = isBulk ? { counted: asItIs } : uncounted;
      const documents = records.map((record) => ({ ...toDocument(type, record), ...mark }));
      // Before, for a process that dies meanwhile; after, for a sweep that is over before the records are there.
      const forget = () => Promise.all(isBulk ? accounts.map(forgetCounts) : []);
      await forget();
      const refused = await refusedOf(() =>
        model.collection.insertMany(documents as object[], { ordered: false, writeConcern: durable }),
      );
      await forget();
      if (!isBulk) for (const accountId of accounts) onUncounted(accountId, records.length);
      return records.map((_record, index) => (refused.has(index) ? 'taken' : 'written'));
    },
    replace: (before, after, outbox, files) =>
      written(async () => {
        const { _id, ...changed } = toDocument(type, after);
        const { accountId } = after;
        const keys = keysOfRecord(type, before);
        const isCounted = sameKeys(keys, keysOfRecord(type, after));
        const { $push, ...push } = pushToOutbox(outbox, after.updatedAt);
        // Only the first keys are kept: those under which the record is counted.
        const from = isCounted ? {} : { 'counted.from': { $each: [keys], $slice: 1 } };
        const { matchedCount } = await model.updateOne(
          { _id, accountId: placeOf(accountId, before.aside?.state), version: before.version },
          {
            $set: { ...changed, ...(files && { files }), ...(!isCounted && uncounted) },
            ...(before.aside && !after.aside && { $unset: { aside: 1 } }),
            ...push,
            $push: { ...$push, ...from },
          },
        );
        if (!isCounted) onUncounted(accountId, matchedCount);
        return matchedCount === 1;
      }),
    async findMany(accountId, ids, selection) {
      const where = { _id: { $in: [...ids] }, ...toWhere(type, accountId, selection) };
      return readForCaller(connection, 'light', async (options) =>
        (await find(where).setOptions(options()).lean()).map(toRecord),
      );
    },
    async findBySource(accountId, pairs) {
      const found: ItsmRecord[] = [];
      for (const source of new Set(pairs.map((pair) => pair.source))) {
        const ids = pairs.filter((pair) => pair.source === source).map(({ sourceID }) => sourceID);
        const where = {
          accountId: { $in: placesOf(accountId) },
          'values.source': asText(source),
          'values.sourceID': asOneOfTexts(ids),
        };
        const some = await readForCaller(connection, 'light', (options) => find(where).setOptions(options()).lean());
        found.push(...some.map(toRecord));
      }
      return found.sort((a, b) => Number(a.aside === undefined) - Number(b.aside === undefined));
    },
    list: (accountId, selection, stretch) =>
      searched(accountId, selection, stretch.order, async ({ search, plan, left, options }) => {
        const { inOrder } = search;
        if (!inOrder) return walk(accountId, search, stretch, left);
        // When common parts occur together, a scan in the order soon finds matches.
        const soon = within(walkMilliseconds, options);
        return (
          (await unlessExpired(() => walk(accountId, inOrder, stretch, soon))) ??
          walk(accountId, await plan([farStep]), stretch, left)
        );
      }),
    page(accountId, selection, stretch) {
      // Words are searched to the end, since a text that is nowhere should say so.
      if (selection.words) return repository.list(accountId, selection, stretch).then((records) => ({ records }));
      return searched(accountId, selection, stretch.order, async ({ search, left }) => {
        const { inOrder } = search;
        if (!inOrder) return { records: await walk(accountId, search, stretch, left) };
        const where = toWhere(type, accountId, selection);
        const passed = { accountId: placeWhere(accountId, selection), ...inOrder.passed };
        const load = async (ids: readonly number[]) =>
          (
            await find({ $and: [where, { _id: { $in: [...ids] } }] })
              .setOptions(left())
              .lean()
          ).map(toRecord);
        return scanRecords(model, type, { ...stretch, passed, where, hint: inOrder.hint, within: left }, load, now);
      });
    },
    count: createRecordCount(model, type, countMilliseconds),
  };
  return repository;
}

function weightOf(type: RecordType, { words, conditions }: Selection, order: readonly OrderStep[]): ReadWeight {
  const isSearch = words !== undefined || conditions.length > 1 || conditions.some(isNegated);
  return isSearch || !isServed(type, order) ? 'heavy' : 'light';
}
