import type { Document } from 'mongodb';
import { refused, rowsOf } from './case';
import type { Case, Rows } from './case';

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

/** Cases of updates and upserts. */
export const updateCases: Readonly<Record<string, Case>> = {
  'changes of all elements and of filtered elements conflict if they overlap': {
    documents: rowsOf({ a: [1, 2] }),
    ask: updated({ $set: { 'a.$[]': 5 }, $inc: { 'a.$[e]': 1 } }, {}, { arrayFilters: [{ e: 1 }] }),
    answer: refused(40),
  },
  'changes of filtered elements and of a position conflict': {
    documents: rowsOf({ a: [1, 2] }),
    ask: updated({ $set: { 'a.$[e]': 5, 'a.0': 1 } }, {}, { arrayFilters: [{ e: 1 }] }),
    answer: refused(40),
  },
  'the positional operator is refused when the filter does not match the array': {
    documents: rowsOf({ a: [1, 2] }),
    ask: updated({ $set: { 'a.$': 5 } }, { _id: 1 }),
    answer: refused(2),
  },
  'a position matched in one array is used in another': {
    documents: rowsOf({ a: [1, 2], b: [3, 4] }),
    ask: updated({ $set: { 'b.$': 9 } }, { a: 2 }),
    answer: { a: [1, 2], b: [3, 9] },
  },
  '$[] of a missing array is refused by $set': {
    documents: rowsOf({ b: 1 }),
    ask: updated({ $set: { 'a.$[]': 5 } }),
    answer: refused(2),
  },
  '$[] of a missing array is refused by $pull': {
    documents: rowsOf({ b: 1 }),
    ask: updated({ $pull: { 'n.a.$[].x': 1 } }),
    answer: refused(2),
  },
  'a path through a number is refused by $pull': {
    documents: rowsOf({ a: 1 }),
    ask: updated({ $pull: { 'a.b': 1 } }),
    answer: refused(28),
  },
  'a path through a number is ignored by $unset': {
    documents: rowsOf({ a: 1 }),
    ask: updated({ $unset: { 'a.b': 1 } }),
    answer: { a: 1 },
  },
  '$pop of a number is refused': {
    documents: rowsOf({ a: 1 }),
    ask: updated({ $pop: { a: 1 } }),
    answer: refused(14),
  },
  '$pull of a value keeps nested arrays that contain it': {
    documents: rowsOf({ a: [1, [1]] }),
    ask: updated({ $pull: { a: 1 } }),
    answer: { a: [[1]] },
  },
  '$rename of an array element is refused': {
    documents: rowsOf({ a: [{ b: 1 }] }),
    ask: updated({ $rename: { 'a.0': 'c' } }),
    answer: refused(2),
  },
  '$rename of a field of array elements is refused': {
    documents: rowsOf({ a: [{ b: 1 }] }),
    ask: updated({ $rename: { 'a.b': 'c' } }),
    answer: refused(28),
  },
  '$min and $max compare across types': {
    documents: rowsOf({ a: 'x', b: 'x' }),
    ask: updated({ $min: { a: 5 }, $max: { b: [1] } }),
    answer: { a: 5, b: [1] },
  },
  'an upsert takes equalities from $all, from $in with one value and from $or with one branch': {
    documents: [],
    ask: upserted({ a: { $all: [1] }, $or: [{ b: 2 }], c: { $in: [3] } }),
    answer: { a: 1, b: 2, c: 3, z: 1 },
  },
  'an upsert creates the fields of its filter in the order of their paths': {
    documents: [],
    ask: async (rows) => {
      await rows.updateOne({ _id: 1 as never, n: 1, 'l.v.0': 2, b: 3 }, { $set: { a: 4 } }, { upsert: true });
      return Object.keys((await rows.findOne({})) ?? {});
    },
    answer: ['_id', 'b', 'l', 'n', 'a'],
  },
  'an upsert is refused when its filter gives one field two values': {
    documents: [],
    ask: upserted({ $and: [{ a: 1 }, { a: 2 }] }),
    answer: refused(54),
  },
  'an upsert is refused with $expr': { documents: [], ask: upserted({ $expr: true }), answer: refused(224) },
  'the first of several faulty elements is reported': {
    documents: rowsOf({ l: [{ id: 'x' }, []] }),
    ask: updated({ $inc: { 'l.$[].id': 1 } }),
    answer: refused(14),
  },
  'a condition inside $or gives no position': {
    documents: rowsOf({ b: [0, 1] }),
    ask: updated({ $set: { 'b.$': 2 } }, { $or: [{ a: 1 }, { b: 1 }] }),
    answer: refused(2),
  },
  '$rename through an array with a path that cannot be followed is refused for the path': {
    documents: rowsOf({ l: [1, [2]] }),
    ask: updated({ $rename: { 'l.1.id': 'n' } }),
    answer: refused(28),
  },
  '$rename into any array is refused': {
    documents: rowsOf({ c: 1, l: [{}] }),
    ask: (rows) =>
      Promise.all(
        ['l.v', 'l.5', 'l.0.v'].map((to) =>
          updated({ $rename: { c: to } })(rows).catch(({ code }: { code: number }) => code),
        ),
      ),
    answer: [2, 2, 2],
  },
  'an array filter matches elements as they were before the update': {
    documents: rowsOf({ l: [{ id: 1, v: 1 }] }),
    ask: updated({ $set: { 'l.$[e].id': 2, 'l.$[e].v': 2 } }, {}, { arrayFilters: [{ 'e.id': 1 }] }),
    answer: { l: [{ id: 2, v: 2 }] },
  },
  '$rename of a field that is missing in an array element changes nothing': {
    documents: rowsOf({ l: [{}] }),
    ask: updated({ $rename: { 'l.0.id': 'n' } }),
    answer: { l: [{}] },
  },
};
