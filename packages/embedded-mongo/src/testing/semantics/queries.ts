import { Long } from 'mongodb';
import type { Document } from 'mongodb';
import { refused, rowsOf } from './case';
import type { Case, Rows } from './case';

const ids = (filter: Document) => async (rows: Rows) =>
  (await rows.find(filter, { sort: { _id: 1 } }).toArray()).map(({ _id }) => _id as unknown);
/** Cases of indexes and filters. */
export const queryCases: Readonly<Record<string, Case>> = {
  'an index over two array fields of one document cannot be created': {
    documents: rowsOf({ a: [1, 2], b: [3, 4] }),
    ask: (rows) => rows.createIndex({ a: 1, b: 1 }),
    answer: refused(171),
  },
  'a document with two array fields is refused by an index over both': {
    documents: [],
    ask: async (rows) => {
      await rows.createIndex({ a: 1, b: 1 });
      await rows.insertOne({ a: [1], b: [2] });
    },
    answer: refused(171),
  },
  'an index over two fields of the elements of one array has one key per element': {
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
  'a sort by two array fields is refused': {
    documents: rowsOf({ a: [1], b: [2] }, { a: [3], b: [4] }),
    ask: (rows) => rows.find().sort({ a: 1, b: 1 }).toArray(),
    answer: refused(2),
  },
  '$all matches scalars': {
    documents: rowsOf({ x: 'a' }, { x: ['a', 'b'] }),
    ask: ids({ x: { $all: ['a'] } }),
    answer: [1, 2],
  },
  '$all of null matches missing fields': {
    documents: rowsOf({}, { x: null }, { x: 1 }),
    ask: ids({ x: { $all: [null] } }),
    answer: [1, 2],
  },
  'an empty $all matches nothing': { documents: rowsOf({}, { x: [] }), ask: ids({ x: { $all: [] } }), answer: [] },
  '$size does not count the elements of a parent array': {
    documents: rowsOf({ l: [{ id: 1 }] }, { l: [{ id: [1] }] }),
    ask: ids({ 'l.id': { $size: 1 } }),
    answer: [2],
  },
  '$not of $elemMatch matches documents without such an element': {
    documents: rowsOf({ l: [{ id: 1 }] }, { l: [{ id: 2 }] }, { l: 1 }, { l: [5] }, {}),
    ask: ids({ l: { $not: { $elemMatch: { id: { $nin: [1] } } } } }),
    answer: [1, 3, 4, 5],
  },
  '$elemMatch with fields skips scalars': {
    documents: rowsOf({ l: [1, 'a'] }, { l: [{ id: null }] }, { l: [{}] }),
    ask: ids({ l: { $elemMatch: { id: null } } }),
    answer: [2, 3],
  },
  '$elemMatch matches elements of nested arrays': {
    documents: rowsOf({ l: [[1, 5]] }, { l: [[1], [5]] }, { l: [{ v: [{ x: 1 }] }] }),
    ask: ids({
      $or: [{ l: { $elemMatch: { $elemMatch: { $gt: 4 } } } }, { l: { $elemMatch: { v: { $elemMatch: { x: 1 } } } } }],
    }),
    answer: [1, 2, 3],
  },
  'an array position in a path is one element, not the elements inside it': {
    documents: rowsOf({ a: [[1, 2]] }, { a: [1] }),
    ask: ids({ 'a.0': 1 }),
    answer: [2],
  },
  '$expr compares across types, and a missing field is less than null': {
    documents: rowsOf({ a: 1, b: 'x' }, { a: 'x', b: 1 }, { b: null }, { a: [1], b: {} }),
    ask: ids({ $expr: { $lt: ['$a', '$b'] } }),
    answer: [1, 3],
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
