import fc from 'fast-check';
import { BSON } from 'mongodb';
import type { AnyBulkWriteOperation, Collection, CreateIndexesOptions, Document, IndexSpecification } from 'mongodb';
import { filter, oneDocument } from './filters';
import { projection, sort, stage } from './readings';
import { change, plainChange } from './updates';
import { document, field, fields, id, path } from './values';

/** One command on a collection. Its results on both servers are compared. */
export interface Operation {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly run: (collection: Collection) => Promise<unknown>;
  /** Numbers are compared by value, because aggregation on this server does not keep their types (see its README). */
  readonly relaxed?: boolean;
  /** After a refusal, the changed documents depend on the scan order, which no server guarantees. */
  readonly leavesOpen?: boolean;
  readonly reads?: boolean;
  /** With several faults, the servers may report different ones. */
  readonly anyRefusal?: boolean;
}

function operation<Args extends unknown[]>(
  name: string,
  args: fc.Arbitrary<Args>,
  run: (collection: Collection, ...args: Args) => Promise<unknown>,
  traits: Pick<Operation, 'relaxed' | 'leavesOpen' | 'reads' | 'anyRefusal'> = {},
): fc.Arbitrary<Operation> {
  return args.map((chosen) => ({
    name,
    args: chosen,
    run: (collection) => run(collection, ...chosen),
    ...traits,
    ...(chosen.some(isOfSeveral) && { anyRefusal: true }),
    [fc.toStringMethod]: () =>
      `\n  ${name}(${chosen.map((one) => BSON.EJSON.stringify(one, { relaxed: true })).join(', ')})`,
  }));
}

/** True for an update with several operators, a projection of several fields, or several stages. */
const isOfSeveral = (argument: unknown): boolean => {
  if (Array.isArray(argument)) return argument.length > 1;
  if (typeof argument !== 'object' || argument === null) return false;
  const { update, projection: names } = argument as { update?: object; projection?: object };
  return Object.keys(update ?? names ?? {}).length > 1;
};

const counts = ({ matchedCount, modifiedCount, upsertedCount, upsertedId }: Document) => ({
  matchedCount: matchedCount as unknown,
  modifiedCount: modifiedCount as unknown,
  upsertedCount: upsertedCount as unknown,
  upsertedId: upsertedId as unknown,
});
const raw = { promoteValues: false } as const;
const copies = (documents: readonly Document[]) => documents.map((one) => ({ ...one }));

const indexes: fc.Arbitrary<[IndexSpecification, CreateIndexesOptions]> = fc.oneof(
  fc
    .constantFrom<IndexSpecification>(
      { a: 1 },
      { b: -1 },
      { 'n.x': 1 },
      { 'l.id': 1 },
      { a: 1, b: 1 },
      { 'l.id': 1, 'l.v': -1 },
      { a: 1, 'l.id': 1 },
      { b: 1, _id: -1 },
      { 'a.0': 1 },
    )
    .map((key) => [key, {}] as [IndexSpecification, CreateIndexesOptions]),
  fc
    .constantFrom<IndexSpecification>({ c: 1 }, { 'n.y': 1 })
    .map((key) => [key, { unique: true, sparse: true }] as [IndexSpecification, CreateIndexesOptions]),
  fc
    .constantFrom<Document>(
      { a: { $type: 'string' } },
      { b: { $gt: 0 } },
      { u: 1 },
      { a: { $exists: true } },
      { 'n.x': { $exists: true }, b: 1 },
      { a: { $in: [1, 2] } },
    )
    .map(
      (partialFilterExpression) =>
        [
          { c: 1, b: 1 },
          { unique: true, partialFilterExpression },
        ] as [IndexSpecification, CreateIndexesOptions],
    ),
);

const byId = (_id: number): Document => ({ _id });

const bulk: fc.Arbitrary<AnyBulkWriteOperation[]> = fc.array(
  fc.oneof(
    document.map((one) => ({ insertOne: { document: one } })),
    fc.tuple(id, plainChange, fc.boolean()).map(([_id, { update, arrayFilters }, upsert]) => ({
      updateOne: { filter: byId(_id), update, upsert, ...(arrayFilters && { arrayFilters }) },
    })),
    fc.tuple(id, fields).map(([_id, replacement]) => ({ replaceOne: { filter: byId(_id), replacement } })),
    id.map((_id) => ({ deleteOne: { filter: byId(_id) } })),
  ),
  { minLength: 1, maxLength: 3 },
);

const options = ({ arrayFilters }: { readonly arrayFilters?: Document[] }) => (arrayFilters ? { arrayFilters } : {});

export const anyOperation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 2,
    arbitrary: operation('insertOne', fc.tuple(document), (rows, one) =>
      rows.insertOne({ ...one }).then(({ insertedId }) => insertedId),
    ),
  },
  {
    weight: 2,
    arbitrary: operation(
      'insertMany',
      fc.tuple(fc.array(document, { minLength: 1, maxLength: 4 }), fc.boolean()),
      (rows, all, ordered) =>
        rows.insertMany(copies(all) as never[], { ordered }).then(({ insertedCount }) => insertedCount),
    ),
  },
  operation('createIndex', indexes, (rows, key, more) => rows.createIndex(key, more)),
  operation('dropIndexes', fc.tuple(), (rows) => rows.dropIndexes().then(() => true)),
  {
    weight: 3,
    arbitrary: operation('updateOne', fc.tuple(oneDocument, change), (rows, where, one) =>
      rows.updateOne(where, one.update, options(one)).then(counts),
    ),
  },
  operation(
    'updateMany',
    fc.tuple(filter, plainChange),
    (rows, where, one) => rows.updateMany(where, one.update, options(one)).then(counts),
    { leavesOpen: true },
  ),
  operation(
    'upsert',
    fc.tuple(
      oneDocument.filter((where) => !/"\$(all|in)":\[\]/.test(JSON.stringify(where))),
      fc.nat(6),
      plainChange,
    ),
    (rows, where, u, one) =>
      rows.updateOne({ $and: [where, { u }] }, one.update, { upsert: true, ...options(one) }).then(counts),
    { anyRefusal: true },
  ),
  operation('replaceOne', fc.tuple(id, fields, fc.boolean()), (rows, _id, others, upsert) =>
    rows
      .replaceOne({ _id } as never, { ...others }, { upsert })
      .then(({ matchedCount, upsertedId }) => ({ matchedCount, upsertedId })),
  ),
  operation(
    'findOneAndUpdate',
    fc.tuple(filter, plainChange, sort, projection, fc.constantFrom('before', 'after')),
    (rows, where, one, order, project, which) =>
      rows.findOneAndUpdate(where, one.update, {
        ...raw,
        sort: order,
        projection: project,
        returnDocument: which,
        ...options(one),
      }),
    { anyRefusal: true },
  ),
  operation('findOneAndReplace', fc.tuple(filter, fields, sort), (rows, where, others, order) =>
    rows.findOneAndReplace(where, { ...others }, { ...raw, sort: order, returnDocument: 'after' }),
  ),
  operation('findOneAndDelete', fc.tuple(filter, sort), (rows, where, order) =>
    rows.findOneAndDelete(where, { ...raw, sort: order }),
  ),
  operation('deleteMany', fc.tuple(oneDocument), (rows, where) =>
    rows.deleteMany(where).then(({ deletedCount }) => deletedCount),
  ),
  operation(
    'bulkWrite',
    fc.tuple(bulk, fc.boolean()),
    (rows, all, ordered) =>
      rows
        .bulkWrite(structuredCopy(all), { ordered })
        .then(({ insertedCount, matchedCount, modifiedCount, deletedCount, upsertedIds }) => ({
          insertedCount,
          matchedCount,
          modifiedCount,
          deletedCount,
          upsertedIds,
        })),
    { anyRefusal: true },
  ),
  {
    weight: 8,
    arbitrary: operation(
      'find',
      fc.tuple(filter, sort, fc.nat(4), fc.nat(2)),
      (rows, where, order, limit, skip) => rows.find(where, { ...raw, sort: order, limit, skip }).toArray(),
      { reads: true },
    ),
  },
  {
    weight: 4,
    arbitrary: operation(
      'project',
      fc.tuple(filter, fc.record({ projection })),
      (rows, where, fields) => rows.find(where, { ...raw, sort: { _id: 1 }, ...fields }).toArray(),
      { reads: true },
    ),
  },
  operation('countDocuments', fc.tuple(filter), (rows, where) => rows.countDocuments(where)),
  operation('distinct', fc.tuple(fc.oneof(field, path), filter), (rows, name, where) =>
    // MongoDB returns null for documents without the field only if it uses an index.
    rows.distinct(name, where, raw).then((found) => inOrder(found.filter((value) => value !== null))),
  ),
  {
    weight: 4,
    arbitrary: operation(
      'aggregate',
      fc.tuple(filter, fc.array(stage, { minLength: 1, maxLength: 2 })),
      (rows, where, stages) =>
        rows
          .aggregate(
            [{ $match: where }, { $sort: { _id: 1 } }, ...stages.flatMap((one) => inStages(one, rows.collectionName))],
            raw,
          )
          .toArray()
          .then((all) => (leavesFieldsOpen(stages) ? all.map(fieldsInOrder) : all))
          .then((all) => (stages.some((one) => '$group' in one || '$sortByCount' in one) ? inOrder(all) : all)),
      { relaxed: true, reads: true },
    ),
  },
);

/** Copies documents, because the driver adds an `_id` to them. */
const structuredCopy = (operations: readonly AnyBulkWriteOperation[]): AnyBulkWriteOperation[] =>
  operations.map((one) => ('insertOne' in one ? { insertOne: { document: { ...one.insertOne.document } } } : one));

/** Sorts values whose order is not guaranteed. */
const inOrder = (values: readonly unknown[]): unknown[] =>
  [...values].sort((a, b) => (relaxed(a) < relaxed(b) ? -1 : 1));

const relaxed = (value: unknown): string => BSON.EJSON.stringify(value, { relaxed: true });

/**
 * True if the order of the fields may differ. The position of a `$lookup` field depends on MongoDB's execution engine.
 * A field that one stage removes and a later one adds again keeps its position in MongoDB, and comes last here.
 */
const leavesFieldsOpen = (stages: readonly Document[]): boolean =>
  stages.some((one) => '$lookup' in one) || (stages.length > 1 && stages.some((one) => '$addFields' in one));

const fieldsInOrder = (one: Document): Document =>
  Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Sorts groups, because their order is not guaranteed and a later stage may depend on it. */
const inStages = (one: Document, from: string): Document[] => {
  if ('$lookup' in one) return [{ $lookup: { ...(one['$lookup'] as Document), from } }];
  return '$group' in one || '$sortByCount' in one ? [one, { $sort: { _id: 1 } }] : [one];
};
