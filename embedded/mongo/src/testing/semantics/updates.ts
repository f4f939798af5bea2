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

/** What an update changes, and what an upsert makes. */
export const updateCases: Readonly<Record<string, Case>> = {
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
};
