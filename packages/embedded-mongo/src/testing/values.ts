import fc from 'fast-check';
import { Long } from 'mongodb';
import type { Document } from 'mongodb';

/** Few values and few names, so that conditions, sorts and updates often match stored data. */

export const scalar: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -1, max: 3 }) },
  { weight: 3, arbitrary: fc.constantFrom('', 'a', 'b', 'ab', 'B') },
  fc.constantFrom(0.5, -1.5),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(new Date(0), new Date('2030-01-02T03:04:05.006Z')),
  fc.constantFrom(Long.fromNumber(2), Long.fromString('9007199254740993')),
);
export const number: fc.Arbitrary<unknown> = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(0.5, -1.5),
  fc.constant(Long.fromNumber(2)),
);
export const array = fc.array(scalar, { maxLength: 3 });
export const embedded = fc.record({ x: scalar, y: scalar }, { requiredKeys: [] });
const element = fc.record({ id: scalar, v: fc.oneof(scalar, array) }, { requiredKeys: [] });
/** An array of documents, with a few other values. */
export const list = fc.array(fc.oneof({ weight: 6, arbitrary: element }, scalar, array), {
  maxLength: 3,
});
export const value: fc.Arbitrary<unknown> = fc.oneof({ weight: 6, arbitrary: scalar }, array, embedded, list);

export const id = fc.integer({ min: 0, max: 5 });
export const field = fc.constantFrom('a', 'b', 'c', 'n', 'l');
export const path = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c', 'n.x', 'n.y') },
  { weight: 2, arbitrary: fc.constantFrom('l', 'l.id', 'l.v') },
  fc.constantFrom('n', 'a.0', 'l.0', 'l.1.id', 'a.x', 'n.x.z', 'l.v.0'),
);

/** A document with one or two of these names. */
export const dictionary = <T>(names: fc.Arbitrary<string>, values: fc.Arbitrary<T>): fc.Arbitrary<Document> =>
  fc
    .uniqueArray(fc.tuple(names, values), { minLength: 1, maxLength: 2, selector: ([name]) => name })
    .map((entries): Document => Object.fromEntries<unknown>(entries));

export const fields = fc.record(
  { a: value, b: value, c: value, n: fc.oneof(embedded, scalar), l: list, u: fc.integer({ min: 0, max: 6 }) },
  { requiredKeys: ['u'] },
);
export const document = fc.tuple(id, fields).map(([_id, others]): Document => ({ _id, ...others }));
