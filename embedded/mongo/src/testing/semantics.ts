import { Long } from 'mongodb';
import type { Collection, Document } from 'mongodb';

type Rows = Collection<Document>;

/** Something asked of a collection with these documents, and what MongoDB answers: a value or the code of its refusal. */
export interface Case {
  readonly documents: readonly Document[];
  readonly ask: (rows: Rows) => Promise<unknown>;
  readonly answer: unknown;
}

/** What a refusal is compared as. */
export const refused = (code: number): { refused: number } => ({ refused: code });

const ids = (filter: Document) => async (rows: Rows) =>
  (await rows.find(filter, { sort: { _id: 1 } }).toArray()).map(({ _id }) => _id as unknown);
const project = (projection: Document) => (rows: Rows) => rows.findOne({}, { projection });
const aggregate =
  (...pipeline: Document[]) =>
  (rows: Rows) =>
    rows.aggregate(pipeline).toArray();
const updated =
  (update: Document, filter: Document = {}, options: Document = {}) =>
  async (rows: Rows) => {
    await rows.updateOne(filter, update, options);
    return rows.findOne({}, { projection: { _id: 0 } });
  };
const upserted = (filter: Document) => async (rows: Rows) => {
  await rows.updateOne(filter, { $set: { z: 1 } }, { upsert: true });
  return rows.findOne({ z: 1 }, { projection: { _id: 0 } });
};

/** Documents under the ids 1, 2, … */
const rowsOf = (...documents: Document[]): Document[] => documents.map((one, i) => ({ _id: i + 1, ...one }));

/** Where this server once answered otherwise than MongoDB. */
export const cases: Readonly<Record<string, Case>> = {
  'an index over two lists of one document is refused when it is made': {
    documents: rowsOf({ a: [1, 2], b: [3, 4] }),
    ask: (rows) => rows.createIndex({ a: 1, b: 1 }),
    answer: refused(171),
  },
  'a document with two lists is refused by an index over both': {
    documents: [],
    ask: async (rows) => {
      await rows.createIndex({ a: 1, b: 1 });
      await rows.insertOne({ a: [1], b: [2] });
    },
    answer: refused(171),
  },
  'two fields of the elements of one list make one key for each element': {
    documents: rowsOf({
      l: [
        { x: 1, y: 2 },
        { x: 3, y: 4 },
      ],
    }),
    ask: async (rows) => {
      await rows.createIndex({ 'l.x': 1, 'l.y': 1 }, { unique: true });
      await rows.insertOne({ _id: 2 as never, l: [{ x: 1, y: 4 }] });
      return rows.countDocuments();
    },
    answer: 2,
  },
  'an order by two lists is refused': {
    documents: rowsOf({ a: [1], b: [2] }, { a: [3], b: [4] }),
    ask: (rows) => rows.find().sort({ a: 1, b: 1 }).toArray(),
    answer: refused(2),
  },
  'changes of all elements and of chosen ones conflict where they meet': {
    documents: rowsOf({ a: [1, 2] }),
    ask: updated({ $set: { 'a.$[]': 5 }, $inc: { 'a.$[e]': 1 } }, {}, { arrayFilters: [{ e: 1 }] }),
    answer: refused(40),
  },
  'changes of chosen elements and of a position conflict': {
    documents: rowsOf({ a: [1, 2] }),
    ask: updated({ $set: { 'a.$[e]': 5, 'a.0': 1 } }, {}, { arrayFilters: [{ e: 1 }] }),
    answer: refused(40),
  },
  'the element that a filter found must have been found': {
    documents: rowsOf({ a: [1, 2] }),
    ask: updated({ $set: { 'a.$': 5 } }, { _id: 1 }),
    answer: refused(2),
  },
  'the position found in one list is used in another': {
    documents: rowsOf({ a: [1, 2], b: [3, 4] }),
    ask: updated({ $set: { 'b.$': 9 } }, { a: 2 }),
    answer: { a: [1, 2], b: [3, 9] },
  },
  'all elements of a missing list cannot be changed': {
    documents: rowsOf({ b: 1 }),
    ask: updated({ $set: { 'a.$[]': 5 } }),
    answer: refused(2),
  },
  'all elements of a missing list cannot be removed from either': {
    documents: rowsOf({ b: 1 }),
    ask: updated({ $pull: { 'n.a.$[].x': 1 } }),
    answer: refused(2),
  },
  'a path through a number is refused by $pull': {
    documents: rowsOf({ a: 1 }),
    ask: updated({ $pull: { 'a.b': 1 } }),
    answer: refused(28),
  },
  'a path through a number is nothing to $unset': {
    documents: rowsOf({ a: 1 }),
    ask: updated({ $unset: { 'a.b': 1 } }),
    answer: { a: 1 },
  },
  '$pop of a number is refused': {
    documents: rowsOf({ a: 1 }),
    ask: updated({ $pop: { a: 1 } }),
    answer: refused(14),
  },
  '$pull of a value leaves lists that contain it': {
    documents: rowsOf({ a: [1, [1]] }),
    ask: updated({ $pull: { a: 1 } }),
    answer: { a: [[1]] },
  },
  '$rename of an element is refused': {
    documents: rowsOf({ a: [{ b: 1 }] }),
    ask: updated({ $rename: { 'a.0': 'c' } }),
    answer: refused(2),
  },
  '$rename of a field of elements is refused': {
    documents: rowsOf({ a: [{ b: 1 }] }),
    ask: updated({ $rename: { 'a.b': 'c' } }),
    answer: refused(28),
  },
  '$min and $max compare across types': {
    documents: rowsOf({ a: 'x', b: 'x' }),
    ask: updated({ $min: { a: 5 }, $max: { b: [1] } }),
    answer: { a: 5, b: [1] },
  },
  '$all finds scalars': {
    documents: rowsOf({ x: 'a' }, { x: ['a', 'b'] }),
    ask: ids({ x: { $all: ['a'] } }),
    answer: [1, 2],
  },
  '$all of null finds missing fields': {
    documents: rowsOf({}, { x: null }, { x: 1 }),
    ask: ids({ x: { $all: [null] } }),
    answer: [1, 2],
  },
  '$all of nothing finds nothing': { documents: rowsOf({}, { x: [] }), ask: ids({ x: { $all: [] } }), answer: [] },
  '$size does not look through a list': {
    documents: rowsOf({ l: [{ id: 1 }] }, { l: [{ id: [1] }] }),
    ask: ids({ 'l.id': { $size: 1 } }),
    answer: [2],
  },
  '$not of $elemMatch finds what has no such element': {
    documents: rowsOf({ l: [{ id: 1 }] }, { l: [{ id: 2 }] }, { l: 1 }, { l: [5] }, {}),
    ask: ids({ l: { $not: { $elemMatch: { id: { $nin: [1] } } } } }),
    answer: [1, 3, 4, 5],
  },
  '$elemMatch of fields passes over scalars': {
    documents: rowsOf({ l: [1, 'a'] }, { l: [{ id: null }] }, { l: [{}] }),
    ask: ids({ l: { $elemMatch: { id: null } } }),
    answer: [2, 3],
  },
  '$elemMatch looks into lists of lists': {
    documents: rowsOf({ l: [[1, 5]] }, { l: [[1], [5]] }, { l: [{ v: [{ x: 1 }] }] }),
    ask: ids({
      $or: [{ l: { $elemMatch: { $elemMatch: { $gt: 4 } } } }, { l: { $elemMatch: { v: { $elemMatch: { x: 1 } } } } }],
    }),
    answer: [1, 2, 3],
  },
  'a named position is one element, not the elements of it': {
    documents: rowsOf({ a: [[1, 2]] }, { a: [1] }),
    ask: ids({ 'a.0': 1 }),
    answer: [2],
  },
  '$expr compares across types, a missing field below null': {
    documents: rowsOf({ a: 1, b: 'x' }, { a: 'x', b: 1 }, { b: null }, { a: [1], b: {} }),
    ask: ids({ $expr: { $lt: ['$a', '$b'] } }),
    answer: [1, 3],
  },
  'an upsert takes the fields of $all, of $in with one value and of an $or with one branch': {
    documents: [],
    ask: upserted({ a: { $all: [1] }, $or: [{ b: 2 }], c: { $in: [3] } }),
    answer: { a: 1, b: 2, c: 3, z: 1 },
  },
  'an upsert makes the fields of its filter in the order of their paths': {
    documents: [],
    ask: async (rows) => {
      await rows.updateOne({ _id: 1 as never, n: 1, 'l.v.0': 2, b: 3 }, { $set: { a: 4 } }, { upsert: true });
      return Object.keys((await rows.findOne({})) ?? {});
    },
    answer: ['_id', 'b', 'l', 'n', 'a'],
  },
  'an upsert is refused where its filter names two values': {
    documents: [],
    ask: upserted({ $and: [{ a: 1 }, { a: 2 }] }),
    answer: refused(54),
  },
  'an upsert is refused with $expr': { documents: [], ask: upserted({ $expr: true }), answer: refused(224) },
  '$slice alone leaves the other fields': {
    documents: rowsOf({ a: [1, 2, 3], b: 1 }),
    ask: project({ a: { $slice: -2 } }),
    answer: { _id: 1, a: [2, 3], b: 1 },
  },
  '$slice skips and takes, within documents too': {
    documents: rowsOf({ n: { a: [1, 2, 3], b: 1 }, b: 1 }),
    ask: project({ 'n.a': { $slice: [1, 1] } }),
    answer: { _id: 1, n: { a: [2], b: 1 }, b: 1 },
  },
  'computed fields come last, in the order of the projection': {
    documents: rowsOf({ b: 1, c: 2, a: 3 }),
    ask: async (rows) => Object.keys((await project({ z: '$a', c: 1, y: '$b', a: 1 })(rows)) ?? {}),
    answer: ['_id', 'c', 'a', 'z', 'y'],
  },
  '$project keeps the order of the document': {
    documents: rowsOf({ b: 1, c: 2, a: 3 }),
    ask: async (rows) => Object.keys((await aggregate({ $project: { a: 1, b: 1, z: '$c' } })(rows))[0] ?? {}),
    answer: ['_id', 'b', 'a', 'z'],
  },
  'an expression in a projection that leaves out is refused': {
    documents: rowsOf({ a: 1 }),
    ask: project({ a: 0, z: '$a' }),
    answer: refused(31310),
  },
  'of several faulty elements the first one is named': {
    documents: rowsOf({ l: [{ id: 'x' }, []] }),
    ask: updated({ $inc: { 'l.$[].id': 1 } }),
    answer: refused(14),
  },
  'a condition within an $or finds no position': {
    documents: rowsOf({ b: [0, 1] }),
    ask: updated({ $set: { 'b.$': 2 } }, { $or: [{ a: 1 }, { b: 1 }] }),
    answer: refused(2),
  },
  '$rename is refused where its path cannot be followed before where it goes through a list': {
    documents: rowsOf({ l: [1, [2]] }),
    ask: updated({ $rename: { 'l.1.id': 'n' } }),
    answer: refused(28),
  },
  '$rename into a list is refused, whatever the list holds': {
    documents: rowsOf({ c: 1, l: [{}] }),
    ask: (rows) =>
      Promise.all(
        ['l.v', 'l.5', 'l.0.v'].map((to) =>
          updated({ $rename: { c: to } })(rows).catch(({ code }: { code: number }) => code),
        ),
      ),
    answer: [2, 2, 2],
  },
  'an array filter chooses by what an element was before the update': {
    documents: rowsOf({ l: [{ id: 1, v: 1 }] }),
    ask: updated({ $set: { 'l.$[e].id': 2, 'l.$[e].v': 2 } }, {}, { arrayFilters: [{ 'e.id': 1 }] }),
    answer: { l: [{ id: 2, v: 2 }] },
  },
  '$rename of what is missing in an element changes nothing': {
    documents: rowsOf({ l: [{}] }),
    ask: updated({ $rename: { 'l.0.id': 'n' } }),
    answer: { l: [{}] },
  },
  'the element found is projected, and refused where none was': {
    documents: rowsOf({ a: [1, 2] }),
    ask: (rows) => rows.findOne({ a: 2 }, { projection: { 'a.$': 1 } }),
    answer: { _id: 1, a: [2] },
  },
  '$count of nothing gives no document': {
    documents: [],
    ask: aggregate({ $match: { a: 1 } }, { $count: 'n' }),
    answer: [],
  },
  '$lookup puts its list under a dotted name': {
    documents: rowsOf({ n: { x: 1 } }),
    ask: (rows) =>
      aggregate({ $lookup: { from: rows.collectionName, localField: '_id', foreignField: '_id', as: 'n.j' } })(rows),
    answer: [{ _id: 1, n: { x: 1, j: [{ _id: 1, n: { x: 1 } }] } }],
  },
  '$group finds the least and the greatest across types': {
    documents: rowsOf({ a: 5 }, { a: 'x' }, { a: null }, { a: [1] }, {}),
    ask: aggregate({ $group: { _id: null, least: { $min: '$a' }, greatest: { $max: '$a' } } }),
    answer: [{ _id: null, least: 5, greatest: [1] }],
  },
  '$group holds what is missing for null': {
    documents: rowsOf({ a: null }, {}),
    ask: aggregate({ $group: { _id: '$a', n: { $sum: 1 } } }),
    answer: [{ _id: null, n: 2 }],
  },
  '$type distinguishes integers, longs and doubles': {
    documents: [],
    ask: async (rows) => {
      await rows.insertMany([
        { _id: 1 as never, a: Long.fromNumber(2) },
        { _id: 2 as never, a: 2 },
        { _id: 3 as never, a: 0.5 },
      ]);
      return Promise.all(['long', 'int', 'double'].map((type) => ids({ a: { $type: type } })(rows)));
    },
    answer: [[1], [2], [3]],
  },
};

/** The answer to a case, a refusal as its code. */
export async function answerTo({ documents, ask }: Case, rows: Rows): Promise<unknown> {
  if (documents.length > 0) await rows.insertMany(documents.map((one) => ({ ...one })));
  return ask(rows).catch(({ code }: { code: number }) => refused(code));
}
