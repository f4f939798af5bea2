import fc from 'fast-check';
import { Long } from 'mongodb';
import type { Collection, Document, Sort } from 'mongodb';

/**
 * Operations that both servers know. Left out is what FerretDB 1.24 is known to answer otherwise than MongoDB: unique values that
 * are missing, empty `$each`, `modifiedCount` of a replacement, `$mod` on elements, null in `$setOnInsert`; and what the embedded
 * store does otherwise (see its README): the types of numbers in `$group` and `$type`.
 */

/** One command to a collection; its answer is compared between servers. */
export interface Operation {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly run: (collection: Collection) => Promise<unknown>;
}

const scalar = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 3, arbitrary: fc.constantFrom('', 'a', 'b', 'ab', 'B') },
  fc.constantFrom(0.5, -1.5, 2.25),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(new Date(0), new Date('2030-01-02T03:04:05.006Z')),
  fc.constantFrom(Long.fromNumber(2), Long.fromString('9007199254740993')),
);
const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(0.5, -1.5), fc.constant(Long.fromNumber(2)));
const array = fc.array(scalar, { maxLength: 3 });
const embedded = fc.record({ x: scalar, y: scalar }, { requiredKeys: [] });
const value = fc.oneof({ weight: 5, arbitrary: scalar }, array, embedded);

const id = fc.integer({ min: 0, max: 5 });
const field = fc.constantFrom('a', 'b', 'c');
const path = fc.constantFrom('a', 'b', 'c', 'n.x', 'n.y');
const dictionary = <T>(names: fc.Arbitrary<string>, values: fc.Arbitrary<T>) =>
  fc
    .uniqueArray(fc.tuple(names, values), { minLength: 1, maxLength: 2, selector: ([name]) => name })
    .map((entries): Document => Object.fromEntries<unknown>(entries));

const fields = fc.record(
  { a: value, b: value, c: value, n: embedded, u: fc.integer({ min: 0, max: 6 }) },
  { requiredKeys: ['u'] },
);
const document = fc.tuple(id, fields).map(([_id, others]): Document => ({ _id, ...others }));

const condition = fc.oneof(
  { weight: 3, arbitrary: scalar },
  scalar.map((one) => ({ $ne: one })),
  fc.tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte'), scalar).map(([name, one]) => ({ [name]: one })),
  fc.tuple(fc.constantFrom('$in', '$nin'), fc.array(scalar, { maxLength: 3 })).map(([name, all]) => ({ [name]: all })),
  fc.boolean().map((there) => ({ $exists: there })),
  fc.constantFrom('string', 'number', 'bool', 'date', 'null', 'array', 'object').map((type) => ({ $type: type })),
  fc.constantFrom({ $size: 0 }, { $size: 2 }, { $regex: '^a' }, { $regex: 'B', $options: 'i' }),
);
const simple = fc.oneof(
  dictionary(path, condition),
  id.map((_id) => ({ _id })),
  fc.constant({}),
);
const filter: fc.Arbitrary<Document> = fc.oneof(
  fc.nat(2).map((remainder) => ({ u: { $mod: [3, remainder] } })),
  { weight: 4, arbitrary: simple },
  fc
    .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(simple, { minLength: 1, maxLength: 2 }))
    .map(([name, all]) => ({
      [name]: all,
    })),
  fc
    .tuple(path, fc.tuple(fc.constantFrom('$gt', '$lte'), number))
    .map(([at, [name, one]]) => ({ [at]: { $not: { [name]: one } } })),
);
const oneDocument = fc.tuple(id, filter).map(([_id, others]) => ({ $and: [{ _id }, others] }));

const changes = fc.oneof(
  { weight: 3, arbitrary: dictionary(path, value).map(($set) => ({ $set })) },
  dictionary(path, fc.constant('')).map(($unset) => ({ $unset })),
  dictionary(path, number).map(($inc) => ({ $inc })),
  dictionary(path, number).map(($mul) => ({ $mul })),
  dictionary(path, scalar).map(($min) => ({ $min })),
  dictionary(path, scalar).map(($max) => ({ $max })),
  dictionary(field, scalar).map(($push) => ({ $push })),
  dictionary(
    field,
    fc.array(scalar, { minLength: 1, maxLength: 3 }).map(($each) => ({ $each })),
  ).map(($push) => ({ $push })),
  dictionary(field, scalar).map(($addToSet) => ({ $addToSet })),
  dictionary(field, scalar).map(($pull) => ({ $pull })),
  dictionary(field, array).map(($pullAll) => ({ $pullAll })),
  dictionary(field, fc.constantFrom(1, -1)).map(($pop) => ({ $pop })),
  fc.integer({ min: 0, max: 6 }).map((u) => ({ $set: { u } })),
  fc.tuple(value, number).map(([one, by]) => ({ $set: { a: one }, $inc: { b: by }, $unset: { c: '' } })),
  fc
    .tuple(
      scalar,
      scalar.filter((one) => one !== null),
    )
    .map(([one, other]) => ({ $set: { b: one }, $setOnInsert: { a: other } })),
);

const sort: fc.Arbitrary<Sort> = fc
  .tuple(field, fc.constantFrom(1 as const, -1 as const))
  .map(([name, direction]) => ({ [name]: direction, _id: 1 as const }));
const projection = fc.oneof(
  fc.constantFrom({}, { _id: 0 }, { a: 1 }, { a: 1, _id: 0 }, { a: 0 }, { 'n.x': 1 }, { b: 0, 'n.y': 0 }),
);

function operation<Args extends unknown[]>(
  name: string,
  args: fc.Arbitrary<Args>,
  run: (collection: Collection, ...args: Args) => Promise<unknown>,
): fc.Arbitrary<Operation> {
  return args.map((chosen) => ({ name, args: chosen, run: (collection) => run(collection, ...chosen) }));
}

const counts = ({ matchedCount, modifiedCount, upsertedCount, upsertedId }: Document) => ({
  matchedCount: matchedCount as unknown,
  modifiedCount: modifiedCount as unknown,
  upsertedCount: upsertedCount as unknown,
  upsertedId: upsertedId as unknown,
});
const raw = { promoteValues: false } as const;

export const anyOperation: fc.Arbitrary<Operation> = fc.oneof(
  operation('insertOne', fc.tuple(document), (rows, one) => rows.insertOne({ ...one })),
  operation(
    'insertMany',
    fc.tuple(fc.array(document, { minLength: 1, maxLength: 4 }), fc.boolean()),
    (rows, all, ordered) =>
      rows
        .insertMany(all.map((one) => ({ ...one })) as never[], { ordered })
        .then(({ insertedCount }) => insertedCount),
  ),
  operation('updateOne', fc.tuple(oneDocument, changes), (rows, where, change) =>
    rows.updateOne(where, change).then(counts),
  ),
  operation('updateMany', fc.tuple(filter, changes), (rows, where, change) =>
    rows.updateMany(where, change).then(counts),
  ),
  operation('upsert', fc.tuple(id, fc.nat(6), changes), (rows, _id, u, change) =>
    rows.updateOne({ _id, u } as never, change, { upsert: true }).then(counts),
  ),
  operation('replaceOne', fc.tuple(id, fields, fc.boolean()), (rows, _id, others, upsert) =>
    rows
      .replaceOne({ _id } as never, { ...others }, { upsert })
      .then(({ matchedCount, upsertedId }) => ({ matchedCount, upsertedId })),
  ),
  operation(
    'findOneAndUpdate',
    fc.tuple(filter, changes, sort, fc.constantFrom('before', 'after')),
    (rows, where, change, order, which) =>
      rows.findOneAndUpdate(where, change, { ...raw, sort: order, returnDocument: which }),
  ),
  operation('findOneAndDelete', fc.tuple(filter, sort), (rows, where, order) =>
    rows.findOneAndDelete(where, { ...raw, sort: order }),
  ),
  operation('deleteMany', fc.tuple(oneDocument), (rows, where) =>
    rows.deleteMany(where).then(({ deletedCount }) => deletedCount),
  ),
  operation(
    'find',
    fc.tuple(filter, sort, projection, fc.nat(4), fc.nat(3)),
    (rows, where, order, project, limit, skip) =>
      rows.find(where, { ...raw, sort: order, projection: project, limit, skip }).toArray(),
  ),
  operation('countDocuments', fc.tuple(filter), (rows, where) => rows.countDocuments(where)),
  operation('distinct', fc.tuple(field, filter), (rows, name, where) => rows.distinct(name, where, raw)),
  operation('aggregate', fc.tuple(filter, sort, fc.nat(3)), (rows, where, order, skip) =>
    rows.aggregate([{ $match: where }, { $sort: order as Document }, { $skip: skip }, { $limit: 3 }], raw).toArray(),
  ),
  operation('group', fc.tuple(filter), (rows, where) =>
    rows
      .aggregate([{ $match: where }, { $group: { _id: '$u', count: { $sum: 1 } } }, { $sort: { _id: 1 } }], raw)
      .toArray(),
  ),
);
