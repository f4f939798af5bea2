import { inverted, keyString } from '../documents/key-string';
import { tagOf } from '../documents/type-tags';
import { endOf } from '../storage/collection-index';
import type { CollectionIndex } from '../storage/collection-index';
import type { Bound, Constraint, Constraints } from './constraints';

/** The keys in [low, high). */
export interface KeyRange {
  /** Common prefix of the keys in the range, with one value per point field. */
  readonly prefix: string;
  readonly low: string;
  readonly high: string;
}

export interface IndexUse {
  readonly ranges: readonly KeyRange[];
  /** Number of leading fields with points (`$eq` or `$in`). */
  readonly pointFields: number;
  /** True if the next field has a range. */
  readonly hasRange: boolean;
}

const maxRanges = 1000;

/** Key ranges of the index that contain every record that meets the constraints. */
export function keyRangesOf(index: CollectionIndex, constraints: Constraints): IndexUse {
  let prefixes = [''];
  let pointFields = 0;
  for (const { path, descending } of index.fields) {
    const points = constraints.byPath.get(path)?.points;
    if (!points || points.length * prefixes.length > maxRanges) break;
    const keys = [...new Set(points.map(keyString))].map((key) => (descending ? inverted(key) : key)).sort();
    prefixes = prefixes.flatMap((prefix) => keys.map((key) => prefix + key));
    pointFields += 1;
  }
  const next = index.fields[pointFields];
  const range = next && constraints.byPath.get(next.path);
  const hasRange = range?.lower !== undefined || range?.upper !== undefined;
  return {
    ranges: prefixes.map((prefix) =>
      next && range && hasRange ? rangeAfter(prefix, next.descending, range, index.isMultikey()) : wholePrefix(prefix),
    ),
    pointFields,
    hasRange,
  };
}

const wholePrefix = (prefix: string): KeyRange => ({ prefix, low: prefix, high: endOf(prefix) });

function rangeAfter(prefix: string, descending: boolean, range: Constraint, multikey: boolean): KeyRange {
  // In a multikey index, one element of an array may meet the lower bound and another the upper one.
  const upper = multikey && range.lower && !range.ofOneElement ? undefined : range.upper;
  const [first, last] = descending ? [upper, range.lower] : [range.lower, upper];
  const tag = tagOf((range.lower ?? range.upper)?.value);
  const bracket = descending ? inverted(tag) : tag;
  const edge = (bound: Bound): string =>
    prefix + (descending ? inverted(keyString(bound.value)) : keyString(bound.value));
  return {
    prefix,
    low: first ? (first.inclusive ? edge(first) : endOf(edge(first))) : prefix + bracket,
    high: last ? (last.inclusive ? endOf(edge(last)) : edge(last)) : endOf(prefix + bracket),
  };
}
