import { mongo } from 'mongoose';
import type { Collection } from 'mongoose';
import { oncePerCall } from '../../base/concurrency/present-call';
import { readForCaller } from '../../stores/mongo/caller-reads';
import type { ReadOptions, ReadWeight } from '../../stores/mongo/caller-reads';
import type { CollectionRead, CollectionSource } from './collection-source';
import { isNegated, toMongoFilter } from './filter';
import type { Condition } from './filter';
import type { OrderStep } from './order';
import type { SortValue } from './resource';

type Where = Readonly<Record<string, unknown>>;

/**
 * A collection in MongoDB: `where` restricts it to the account, `toRecord` maps a document, `project` leaves out large
 * texts.
 */
interface MongoCollection<D extends object, T> {
  readonly collection: Collection;
  readonly where: Where;
  readonly toRecord: (document: D) => T;
  readonly project?: (fields: readonly string[]) => Record<string, 0 | 1>;
  /** The member of the document that is the record's `id`; `_id` when absent. */
  readonly idName?: string;
  /** The document's name of another property of the record, where it differs. */
  readonly storedName?: (property: string) => string;
}

/** Reads a collection whose documents have the record's properties by name. */
export function createMongoSource<D extends object, T>(options: MongoCollection<D, T>): CollectionSource<T> {
  const { collection, where, toRecord, project, idName = '_id', storedName = (property) => property } = options;
  const pathOf = ({ property }: { readonly property: string }): string =>
    property === 'id' ? idName : storedName(property);
  const narrowed = (filter: readonly Condition[] = []): Where => {
    const conditions = filter.map((condition) => toMongoFilter(condition, pathOf(condition)));
    return narrow(where, conditions);
  };
  async function read(
    { order, limit, skip, after, before, filter, fields }: CollectionRead,
    options: () => ReadOptions,
  ): Promise<T[]> {
    const backwards = before !== undefined;
    const key = before ?? after;
    const stored = order.map((step) => ({ ...step, property: pathOf(step) }));
    const steps = backwards ? reverse(stored) : stored;
    const within = narrowed(filter);
    const find = (condition: Where, most: number) =>
      collection
        .find(condition, { ...options(), projection: project?.(fields) ?? {} })
        .sort(Object.fromEntries(steps.map((step) => [step.property, step.descending ? -1 : 1])))
        .skip(skip)
        .limit(most)
        .toArray();
    const documents: object[] = key ? [] : await find(within, limit);
    for (const range of key ? rangesBeyond(steps, key) : []) {
      if (documents.length >= limit) break;
      documents.push(...(await find(narrow(within, range), limit - documents.length)));
    }
    const records = documents.map((document) => toRecord(document as D));
    return backwards ? records.reverse() : records;
  }

  return {
    read: (wanted) => readForCaller(collection.conn, weightOf(wanted), (options) => read(wanted, options)),
    count(filter) {
      const wanted = narrowed(filter);
      // Otherwise every alias of the field would count again.
      return oncePerCall(`count ${collection.name} ${textOf(wanted)}`, () =>
        readForCaller(collection.conn, 'heavy', (options) => collection.countDocuments(wanted, options())),
      );
    },
  };
}

/** Extended JSON, since filters may contain dates and regular expressions. */
const textOf = (where: Where): string => mongo.BSON.EJSON.stringify(where);

const weightOf = ({ filter = [] }: CollectionRead): ReadWeight =>
  filter.length > 1 || filter.some(isNegated) ? 'heavy' : 'light';

const reverse = (order: readonly OrderStep[]): OrderStep[] =>
  order.map((step) => ({ ...step, descending: !step.descending }));

/**
 * The records after `key`, as consecutive ranges: equal in all steps but the last and beyond in that, then equal in one
 * step less, and so on. Each range is one index scan; a single `$or` of them would not be.
 */
function rangesBeyond(order: readonly OrderStep[], key: readonly SortValue[]): Where[][] {
  const places = order.map((step, index) => ({ step, index })).reverse();
  return places.flatMap(({ step, index }) => {
    const same = order.slice(0, index).map((earlier, at) => ({ [earlier.property]: key[at] ?? null }));
    return beyondValue(step, key[index] ?? null).map((range) => [...same, range]);
  });
}

// `$gt` and `$lt` compare within one BSON type only, and `null` sorts first.
function beyondValue(step: OrderStep, value: SortValue): Where[] {
  const { property: path } = step;
  if (value === null) return step.descending ? [] : [{ [path]: { $ne: null } }];
  if (!step.descending) return [{ [path]: { $gt: value } }];
  return [{ [path]: { $lt: value } }, { [path]: null }];
}

/**
 * Combines `where` with the conditions. They are added to each branch of an `$or`, so that an index can serve each
 * branch.
 */
function narrow(where: Where, conditions: readonly Where[]): Where {
  const { $or, ...rest } = where;
  if (conditions.length === 0) return where;
  if (!Array.isArray($or)) return { $and: [where, ...conditions] };
  return { ...rest, $or: ($or as Where[]).map((branch) => ({ $and: [branch, ...conditions] })) };
}
