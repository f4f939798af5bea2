import fc from 'fast-check';
import type { Document } from 'mongodb';
import { condition } from './filters';
import { array, dictionary, field, number, path, scalar, value } from './values';

export interface Change {
  readonly update: Document;
  readonly arrayFilters?: Document[];
}

const each = fc.array(scalar, { maxLength: 3 });
const pushed = fc.oneof(
  { weight: 2, arbitrary: scalar },
  fc.record({ id: scalar, v: scalar }),
  each.map(($each) => ({ $each })),
  fc.tuple(each, fc.integer({ min: -2, max: 2 })).map(([$each, $slice]) => ({ $each, $slice })),
  fc.tuple(each, fc.integer({ min: -2, max: 2 })).map(([$each, $position]) => ({ $each, $position })),
  fc.tuple(each, fc.constantFrom(1, -1)).map(([$each, $sort]) => ({ $each, $sort })),
);
const pulled = fc.oneof(
  { weight: 2, arbitrary: value },
  condition,
  dictionary(fc.constantFrom('id', 'v'), fc.oneof(scalar, condition)),
);

/** One operator on one or two of the given paths. */
const operation = (paths: fc.Arbitrary<string>): fc.Arbitrary<Document> =>
  fc.oneof(
    { weight: 4, arbitrary: dictionary(paths, value).map(($set) => ({ $set })) },
    dictionary(paths, fc.constant('')).map(($unset) => ({ $unset })),
    dictionary(paths, number).map(($inc) => ({ $inc })),
    dictionary(paths, number).map(($mul) => ({ $mul })),
    dictionary(paths, value).map(($min) => ({ $min })),
    dictionary(paths, value).map(($max) => ({ $max })),
    dictionary(paths, pushed).map(($push) => ({ $push })),
    dictionary(
      paths,
      fc.oneof(
        scalar,
        each.map(($each) => ({ $each })),
      ),
    ).map(($addToSet) => ({ $addToSet })),
    dictionary(paths, pulled).map(($pull) => ({ $pull })),
    dictionary(paths, array).map(($pullAll) => ({ $pullAll })),
    dictionary(paths, fc.constantFrom(1, -1)).map(($pop) => ({ $pop })),
    fc.tuple(paths, path).map(([from, to]) => ({ $rename: { [from]: to } })),
  );

const elements = fc.constantFrom('a.$[]', 'l.$[]', 'l.$[].v', 'l.$[].id', 'l.$[].v.$[]', 'n.$[]');
const chosen = fc.constantFrom('a.$[e]', 'l.$[e]', 'l.$[e].v', 'l.$[e].id');
const chosenBy = fc.oneof(
  fc.oneof(scalar, condition).map((e) => ({ e })),
  fc.oneof(scalar, condition).map((one) => ({ 'e.id': one })),
);

/** Updates without the positional operator `$`. */
export const plainChange: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: operation(path).map((update) => ({ update })) },
  fc.integer({ min: 0, max: 6 }).map((u) => ({ update: { $set: { u } } })),
  fc.tuple(operation(field), operation(path)).map(([one, other]) => ({ update: { ...one, ...other } })),
  fc.tuple(scalar, value).map(([one, other]) => ({ update: { $set: { b: one }, $setOnInsert: { a: other } } })),
  { weight: 2, arbitrary: operation(elements).map((update) => ({ update })) },
  {
    weight: 2,
    arbitrary: fc.tuple(operation(chosen), chosenBy).map(([update, one]) => ({ update, arrayFilters: [one] })),
  },
  fc
    .tuple(operation(chosen), operation(fc.oneof(elements, path)), chosenBy)
    .map(([one, other, by]) => ({ update: { ...one, ...other }, arrayFilters: [by] })),
);
/** All updates, including those with the positional operator `$`. */
export const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: plainChange },
  operation(fc.constantFrom('a.$', 'l.$', 'l.$.v', 'l.$.id', 'b.$')).map((update) => ({ update })),
);
