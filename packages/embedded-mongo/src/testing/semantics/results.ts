import type { Document } from 'mongodb';
import { refused, rowsOf } from './case';
import type { Case, Rows } from './case';

const project = (projection: Document) => (rows: Rows) => rows.findOne({}, { projection });
const aggregate =
  (...pipeline: Document[]) =>
  (rows: Rows) =>
    rows.aggregate(pipeline).toArray();
/** Cases of projections, sorts and aggregation. */
export const resultCases: Readonly<Record<string, Case>> = {
  '$slice alone keeps the other fields': {
    documents: rowsOf({ a: [1, 2, 3], b: 1 }),
    ask: project({ a: { $slice: -2 } }),
    answer: { _id: 1, a: [2, 3], b: 1 },
  },
  'an array that the filter matches by one element is sorted by all its elements': {
    documents: rowsOf({ a: 5 }, { a: [5, 9] }, { a: [1, 5] }),
    ask: async (rows) => {
      const order = async (sort: Document) => (await rows.find({ a: 5 }, { sort }).toArray()).map(({ _id }) => _id);
      const without = [await order({ a: -1, _id: 1 }), await order({ a: 1, _id: 1 }), await order({ _id: 1, a: 1 })];
      await rows.createIndex({ b: 1, _id: 1 });
      return [...without, await order({ a: -1, b: 1, _id: 1 })];
    },
    answer: [
      [2, 1, 3],
      [3, 1, 2],
      [1, 2, 3],
      [2, 1, 3],
    ],
  },
  '$slice skips and limits, also in embedded documents': {
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
  'an expression in an exclusion projection is refused': {
    documents: rowsOf({ a: 1 }),
    ask: project({ a: 0, z: '$a' }),
    answer: refused(31310),
  },
  'a positional projection returns the matching element': {
    documents: rowsOf({ a: [1, 2] }),
    ask: (rows) => rows.findOne({ a: 2 }, { projection: { 'a.$': 1 } }),
    answer: { _id: 1, a: [2] },
  },
  '$count without input gives no document': {
    documents: [],
    ask: aggregate({ $match: { a: 1 } }, { $count: 'n' }),
    answer: [],
  },
  '$lookup writes its array to a dotted path': {
    documents: rowsOf({ n: { x: 1 } }),
    ask: (rows) =>
      aggregate({ $lookup: { from: rows.collectionName, localField: '_id', foreignField: '_id', as: 'n.j' } })(rows),
    answer: [{ _id: 1, n: { x: 1, j: [{ _id: 1, n: { x: 1 } }] } }],
  },
  '$min and $max of $group compare across types': {
    documents: rowsOf({ a: 5 }, { a: 'x' }, { a: null }, { a: [1] }, {}),
    ask: aggregate({ $group: { _id: null, least: { $min: '$a' }, greatest: { $max: '$a' } } }),
    answer: [{ _id: null, least: 5, greatest: [1] }],
  },
  '$group treats a missing field as null': {
    documents: rowsOf({ a: null }, {}),
    ask: aggregate({ $group: { _id: '$a', n: { $sum: 1 } } }),
    answer: [{ _id: null, n: 2 }],
  },
};
