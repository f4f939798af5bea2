import fc from 'fast-check';
import { Long } from 'mongodb';
import type { Document } from 'mongodb';
import { elementCondition, expression, filter } from './filters';
import { field, path, scalar } from './values';

const direction = fc.constantFrom<1 | -1>(1, -1);
const sortable = fc.constantFrom('a', 'b', 'c', 'n.x', 'l.id', 'l.v', 'l', 'a.0', 'u');

/** A total order: `_id` comes last. */
export const sort: fc.Arbitrary<Record<string, 1 | -1>> = fc.oneof(
  fc.tuple(sortable, direction).map(([name, way]) => ({ [name]: way, _id: 1 as const })),
  fc
    .tuple(sortable, direction, sortable, direction)
    .map(([name, way, other, otherWay]) => ({ [name]: way, [other]: otherWay, _id: 1 as const })),
);

const computed: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>('$a', '$n.x', '$l.id', '$missing', 'text'),
  expression,
  // This server does not keep the type of a number literal (see its README).
  scalar.filter((one) => !Long.isLong(one) || !one.equals(2)).map(($literal) => ({ $literal })),
);
const flag = fc.constantFrom<unknown>(1, 0, true, false);
const entry: fc.Arbitrary<[string, unknown]> = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.oneof(path, fc.constant('_id')), fc.constantFrom<unknown>(1, 1, 1, true)) },
  { weight: 4, arbitrary: fc.tuple(fc.oneof(path, fc.constant('_id')), fc.constantFrom<unknown>(0, 0, false)) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('z', 'a', 'n.z', 'l.z'), computed) },
  fc.tuple(fc.constantFrom('n', 'l'), fc.record({ x: flag, id: flag }, { requiredKeys: ['x'] })),
);
const findEntry: fc.Arbitrary<[string, unknown]> = fc.oneof(
  { weight: 3, arbitrary: entry },
  fc
    .tuple(
      path,
      fc.oneof(
        fc.integer({ min: -2, max: 2 }),
        fc.tuple(fc.integer({ min: -2, max: 2 }), fc.integer({ min: 1, max: 2 })),
      ),
    )
    .map(([at, $slice]) => [at, { $slice }] as [string, unknown]),
  fc.tuple(field, elementCondition).map(([at, $elemMatch]) => [at, { $elemMatch }] as [string, unknown]),
  fc.tuple(fc.constantFrom('a.$', 'l.$'), fc.constant(1)),
);
const projectionOf = (entries: fc.Arbitrary<[string, unknown]>): fc.Arbitrary<Document> =>
  fc
    .uniqueArray(entries, { minLength: 1, maxLength: 3, selector: ([name]) => name })
    .map((all) => Object.fromEntries(all));
/**
 * True if every entry has its own top-level field. MongoDB refuses `$slice` beside another entry of its field with
 * arbitrary codes, so such projections are left out.
 */
const apart = (all: Document) => {
  const names = Object.keys(all).map((name) => name.split('.')[0]);
  return new Set(names).size === names.length;
};
export const projection = fc.oneof(
  fc.constant({}),
  projectionOf(entry),
  projectionOf(findEntry).filter((all) => apart(all) || !JSON.stringify(all).includes('$slice')),
);

const grouped = fc.constantFrom<unknown>('$a', '$b', '$n.x', '$u', null, { x: '$n.x', y: '$b' });
const accumulated = fc.constantFrom<unknown>('$a', '$b', '$n.x', '$u', '$l.id');
export const stage: fc.Arbitrary<Document> = fc.oneof(
  filter.map(($match) => ({ $match })),
  projectionOf(entry).map(($project) => ({ $project })),
  projectionOf(fc.tuple(fc.constantFrom('z', 'a', 'n.z', 'l.z'), computed)).map(($addFields) => ({ $addFields })),
  path.map(($unset) => ({ $unset })),
  fc.constantFrom<Document>(
    { $unwind: '$a' },
    { $unwind: '$l' },
    { $unwind: '$n.x' },
    { $unwind: { path: '$l', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i' } },
    { $unwind: 'a' },
  ),
  fc.constantFrom<Document>(
    { $count: 'n' },
    { $count: 'n.x' },
    { $sortByCount: '$u' },
    { $limit: 2 },
    { $skip: 1 },
    { $replaceRoot: { newRoot: { x: '$a' } } },
    { $limit: 0 },
  ),
  fc
    .tuple(grouped, fc.constantFrom('$sum', '$avg', '$min', '$max', '$first', '$last', '$push'), accumulated)
    .map(([_id, name, one]) => ({ $group: { _id, total: { [name]: one }, n: { $sum: 1 } } })),
  // The matches of an empty array in the local document depend on MongoDB's execution engine.
  fc
    .tuple(fc.constantFrom('u', '_id'), fc.constantFrom('a', 'l.id', 'n.x', 'u'), fc.constantFrom('j', 'n.j', 'a'))
    .map(([localField, foreignField, as]) => ({ $lookup: { from: 'SELF', localField, foreignField, as } })),
  fc.tuple(fc.constantFrom('u', '_id'), fc.constantFrom('n', 'j')).map(([localField, as]) => ({
    $lookup: {
      from: 'SELF',
      localField,
      foreignField: 'u',
      as,
      pipeline: [{ $match: { a: { $exists: true } } }, { $sort: { _id: -1 } }, { $limit: 1 }],
    },
  })),
  filter.map((one) => ({
    $facet: { some: [{ $match: one }, { $count: 'n' }], all: [{ $group: { _id: null, n: { $sum: 1 } } }] },
  })),
);
