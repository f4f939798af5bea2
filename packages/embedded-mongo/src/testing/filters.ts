import fc from 'fast-check';
import type { Document } from 'mongodb';
import { array, dictionary, embedded, id, number, path, scalar, value } from './values';

const types = fc.constantFrom('string', 'number', 'bool', 'date', 'null', 'array', 'object', 'int', 'long', 'double');
const comparison = fc.constantFrom('$gt', '$gte', '$lt', '$lte');

const operators: fc.Arbitrary<Document> = fc.oneof(
  scalar.map(($ne) => ({ $ne })),
  fc.oneof(array, embedded).map(($eq) => ({ $eq })),
  {
    weight: 3,
    arbitrary: fc
      .tuple(comparison, fc.oneof({ weight: 6, arbitrary: scalar }, value))
      .map(([name, one]) => ({ [name]: one })),
  },
  fc
    .tuple(
      fc.constantFrom('$in', '$nin'),
      fc.array(fc.oneof({ weight: 5, arbitrary: scalar }, array), { maxLength: 3 }),
    )
    .map(([name, all]) => ({ [name]: all })),
  fc.boolean().map(($exists) => ({ $exists })),
  types.map(($type) => ({ $type })),
  fc.nat(3).map(($size) => ({ $size })),
  fc.array(fc.oneof({ weight: 4, arbitrary: scalar }, array), { minLength: 1, maxLength: 2 }).map(($all) => ({ $all })),
  fc.constantFrom<Document>({ $regex: '^a' }, { $regex: 'B', $options: 'i' }, { $mod: [2, 1] }),
  // Invalid conditions, which a server must refuse.
  fc.constantFrom<Document>(
    { $size: -1 },
    { $in: 1 },
    { $frobnicate: 1 },
    { $mod: [0, 1] },
    { $all: 'a' },
    { $not: {} },
  ),
);

export const elementCondition: fc.Arbitrary<Document> = fc.oneof(
  { weight: 2, arbitrary: dictionary(fc.constantFrom('id', 'v', 'x', 'v.0'), fc.oneof(scalar, operators)) },
  operators,
  fc.tuple(comparison, scalar, comparison, scalar).map(([one, low, other, high]) => ({ [one]: low, [other]: high })),
  operators.map(($not) => ({ $not })),
  fc.tuple(dictionary(fc.constant('id'), scalar), dictionary(fc.constant('v'), operators)).map(($or) => ({ $or })),
  fc.constantFrom('id', 'v').chain((name) => operators.map(($elemMatch) => ({ [name]: { $elemMatch } }))),
  operators.map(($elemMatch) => ({ $elemMatch })),
);

export const condition: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.oneof({ weight: 5, arbitrary: scalar }, value) },
  { weight: 6, arbitrary: operators },
  // Beginnings are ranges of an index; the others are not.
  fc.constantFrom(/^a/, /^ab/, /^B/, /^é/, /^a|b/, /^a/i, /^/, /b$/),
  operators.map(($not) => ({ $not })),
  { weight: 2, arbitrary: elementCondition.map(($elemMatch) => ({ $elemMatch })) },
  elementCondition.map(($elemMatch) => ({ $not: { $elemMatch } })),
  fc
    .array(elementCondition, { minLength: 1, maxLength: 2 })
    .map((all) => ({ $all: all.map(($elemMatch) => ({ $elemMatch })) })),
  fc.tuple(operators, operators).map(([one, other]) => ({ ...one, ...other })),
);

const operand = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>('$a', '$b', '$n.x', '$l.id', '$missing', '$n') },
  scalar.map(($literal) => ({ $literal })),
);
export const expression: fc.Arbitrary<Document> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'), operand, operand)
      .map(([name, a, b]) => ({ [name]: [a, b] })),
  },
  fc.tuple(operand, operand).map(($and) => ({ $and })),
  fc.tuple(operand, operand).map(($or) => ({ $or })),
  operand.map((one) => ({ $not: [one] })),
);

const simple: fc.Arbitrary<Document> = fc.oneof(
  { weight: 6, arbitrary: dictionary(path, condition) },
  id.map((_id) => ({ _id })),
  fc.constant({}),
  expression.map(($expr) => ({ $expr })),
);
export const filter: fc.Arbitrary<Document> = fc.oneof(
  { weight: 4, arbitrary: simple },
  fc
    .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(simple, { minLength: 1, maxLength: 2 }))
    .map(([name, all]) => ({ [name]: all })),
  fc.tuple(simple, simple).map(([one, other]) => ({ ...one, $or: [other, { b: 1 }] })),
  fc.tuple(path, comparison, number).map(([at, name, one]) => ({ [at]: { $not: { [name]: one } } })),
);
/** A filter that matches at most one document. */
export const oneDocument = fc.tuple(id, filter).map(([_id, others]): Document => ({ $and: [{ _id }, others] }));
