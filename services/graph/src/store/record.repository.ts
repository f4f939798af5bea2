import { pushToOutbox, withOutbox } from '@itsm/shared/messages/outbox/outbox';
import type { OutboxEntry } from '@itsm/shared/messages/outbox/outbox';
import { isNegated } from '@itsm/shared/api/rest/filter';
import type { OrderStep } from '@itsm/shared/api/rest/order';
import { badRequest } from '@itsm/shared/base/errors/app-error';
import { bulkRefusals, duplicatesIn } from '@itsm/shared/stores/mongo/bulk-refusals';
import { oncePerCall } from '@itsm/shared/base/concurrency/present-call';
import { isExpired, readForCaller } from '@itsm/shared/stores/mongo/caller-reads';
import type { ReadOptions, ReadWeight } from '@itsm/shared/stores/mongo/caller-reads';
import { durable } from '@itsm/shared/stores/mongo/connect-mongo';
import { asOneOfTexts, asText } from '@itsm/shared/stores/mongo/partial-index';
import { mongo } from 'mongoose';
import type { Connection } from 'mongoose';
import type { ItsmRecord } from '../record-types/record';
import { indexesOf, sourceIndex } from './record-indexes';
import { isServed, partsOf, sortOf } from './record-page';
import type { Place } from './record-page';
import { farStep, planSearch, quickSteps } from './record-search';
import type { Search } from './record-search';
import { recordSchema, toDocument, toRecord } from './record.document';
import type { RecordDocument } from './record.document';
import { toWhere } from './record-selection';
import type { Selection } from './record-selection';
import type { RecordType } from '../record-types/record-type';
import { ensureIndexes } from '@itsm/shared/stores/mongo/ensure-index';

/**
 * `stale`: a concurrent change won. `taken`: another record has this source and source ID. `full`: the document or its
 * outbox would be too large.
 */
export type Written = 'written' | 'stale' | 'taken' | 'full';

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
  insert(record: ItsmRecord, outbox: readonly OutboxEntry[]): Promise<Written>;
  /**
   * Bulk insert for records that no client waits for; returns the outcome of each. Idempotent: a number that is stored
   * already counts as written.
   */
  insertMany(records: readonly ItsmRecord[]): Promise<readonly Written[]>;
  /** Replaces the previous version by `after` (compare-and-set on the version). */
  replace(after: ItsmRecord, outbox: readonly OutboxEntry[]): Promise<Written>;
  findMany(accountId: string, ids: readonly number[], selection: Selection): Promise<readonly ItsmRecord[]>;
  findBySource(accountId: string, pairs: readonly SourcePair[]): Promise<readonly ItsmRecord[]>;
  list(accountId: string, selection: Selection, stretch: Stretch): Promise<readonly ItsmRecord[]>;
  count(accountId: string, selection: Selection): Promise<number>;
}

export const withoutIndexed = {
  outbox: 0,
  outboxAt: 0,
  outboxLeaseUntil: 0,
  outboxOwner: 0,
  words: 0,
  owners: 0,
} as const;

/** The limit of records that are sorted without an index. */
const mostOrdered = 10_000;

/** The time limit of a scan along the order for common words. */
const walkMilliseconds = 100;

/** A list and its count run one after the other, and the gateway waits 9 s for both. */
const usualSearchMilliseconds = 4_000;

/** The time left, as a query option: all queries of one search share it. */
type Within = () => ReadOptions & { readonly maxTimeMS: number };

function within(milliseconds: number, options: () => ReadOptions): Within {
  const until = performance.now() + milliseconds;
  return () => {
    const { maxTimeMS = Infinity, ...more } = options();
    return { ...more, maxTimeMS: Math.max(1, Math.min(maxTimeMS, Math.ceil(until - performance.now()))) };
  };
}

/**
 * Throws `MongoServerError` for anything that is not a `Written` outcome; 400 for a search that takes longer than
 * `searchMilliseconds`.
 */
export function createRecordRepository(
  connection: Connection,
  type: RecordType,
  searchMilliseconds = usualSearchMilliseconds,
): RecordRepository {
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

  return {
    type,
    async ensureIndexes() {
      await ensureIndexes(model.collection, indexesOf(type));
    },
    insert: (record, outbox) =>
      written(async () => {
        // The type has validated every value already; mongoose's casting would take longer than the rest of the write.
        const document = { ...toDocument(type, record), ...withOutbox(outbox, record.updatedAt) };
        await model.collection.insertOne(document as object, { writeConcern: durable });
        return true;
      }),
    async insertMany(records) {
      const documents = records.map((record) => toDocument(type, record));
      const refused = await refusedOf(() =>
        model.collection.insertMany(documents as object[], { ordered: false, writeConcern: durable }),
      );
      return records.map((_record, index) => (refused.has(index) ? 'taken' : 'written'));
    },
    replace: (after, outbox) =>
      written(async () => {
        const { _id, accountId, ...changed } = toDocument(type, after);
        const { matchedCount } = await model.updateOne(
          { _id, accountId, version: after.version - 1 },
          { $set: changed, ...pushToOutbox(outbox, after.updatedAt) },
        );
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
        const where = { accountId, 'values.source': asText(source), 'values.sourceID': asOneOfTexts(ids) };
        const some = await readForCaller(connection, 'light', (options) => find(where).setOptions(options()).lean());
        found.push(...some.map(toRecord));
      }
      return found;
    },
    list: (accountId, selection, stretch) =>
      readForCaller(connection, weightOf(type, selection, stretch.order), async (options) => {
        const { order } = stretch;
        const left = within(searchMilliseconds, options);
        const plan = (steps: readonly number[]): Promise<Search> =>
          planSearch(model, type, accountId, selection, { steps, order, within: left });
        const search = await plan(quickSteps);
        await checkOrder(toWhere(type, accountId, search.selection), order, { ...left(), ...search.hint });
        const { inOrder } = search;
        // When common parts occur together, a scan in the order soon finds matches.
        const soon =
          inOrder && (await unlessExpired(() => walk(accountId, inOrder, stretch, within(walkMilliseconds, options))));
        return soon ?? walk(accountId, inOrder ? await plan([farStep]) : search, stretch, left);
      }),
    // Without this, every alias of the field would count again.
    count: (accountId, asked) =>
      oncePerCall(`count ${type.name} ${mongo.BSON.EJSON.stringify(toWhere(type, accountId, asked))}`, () =>
        readForCaller(connection, 'heavy', async (options) => {
          const left = within(searchMilliseconds, options);
          const how = { steps: [...quickSteps, farStep], within: left };
          const { selection, hint } = await planSearch(model, type, accountId, asked, how);
          return model.countDocuments(toWhere(type, accountId, selection), { ...left(), ...hint });
        }),
      ),
  };
}

function weightOf(type: RecordType, { words, conditions }: Selection, order: readonly OrderStep[]): ReadWeight {
  const isSearch = words !== undefined || conditions.length > 1 || conditions.some(isNegated);
  return isSearch || !isServed(type, order) ? 'heavy' : 'light';
}

async function written(write: () => Promise<boolean>): Promise<Written> {
  try {
    return (await write()) ? 'written' : 'stale';
  } catch (error) {
    if (error instanceof mongo.MongoServerError && error.code === 11_000 && error.message.includes(sourceIndex)) {
      return 'taken';
    }
    if (error instanceof mongo.MongoServerError && documentTooLarge.has(Number(error.code))) return 'full';
    throw error;
  }
}

/** The result of a read, or undefined when it ran into its time limit. */
async function unlessExpired<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isExpired(error)) return undefined;
    throw error;
  }
}

/** The indices of documents whose source and source ID another record has. */
async function refusedOf(insert: () => Promise<unknown>): Promise<ReadonlySet<number>> {
  try {
    await insert();
    return new Set();
  } catch (error) {
    duplicatesIn(error);
    const faults = [...(bulkRefusals(error)?.values() ?? [])];
    return new Set(faults.flatMap(({ errmsg = '', index }) => (errmsg.includes(sourceIndex) ? index : [])));
  }
}

/** Error codes of the store for a document over 16 MB (on insert, on update, by update operators). */
const documentTooLarge = new Set([10_334, 17_419, 17_420]);
