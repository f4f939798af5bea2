import { compositeKeys, emptyArray } from '../documents/composite-keys';
import { emptyArrayKey, inverted, keyString } from '../documents/key-string';
import type { Document, RawDocument } from '../documents/document';
import { topField } from '../documents/paths';
import { decodeFields, fieldSet } from '../documents/raw-elements';
import { CommandError } from '../errors/command-error';
import { pause } from './pauses';
import type { Pause } from './pauses';

export interface SortField {
  readonly path: string;
  readonly descending: boolean;
}

/** Parses a sort specification such as `{ status: 1, _id: -1 }`. */
export function parseSort(sort: unknown): SortField[] {
  if (sort === undefined || sort === null) return [];
  if (typeof sort !== 'object') throw new CommandError('TypeMismatch', 'Expected field sort to be of type object');
  return Object.entries(sort).map(([path, direction]) => {
    if (direction !== 1 && direction !== -1) {
      throw new CommandError(
        'BadValue',
        `$sort key ordering of '${path}' must be 1 (for ascending) or -1 (for descending)`,
      );
    }
    return { path, descending: direction === -1 };
  });
}

/**
 * Compiles a sort to a function that gives each document a key. The string order of the keys is the sort order. The
 * function throws BadValue if fields are in two different arrays (parallel arrays).
 */
export function sortKeyOf(sort: readonly SortField[]): (document: Document) => string {
  const paths = sort.map(({ path }) => path.split('.'));
  const keyOf = (values: readonly unknown[]): string =>
    values.map((value, i) => fieldKey(value, sort[i]?.descending === true)).join('');
  return (document) => {
    // An array sorts by its smallest (descending: largest) element.
    const keys = tuples(document, paths).map(keyOf);
    return keys.length === 1 ? (keys[0] as string) : keys.reduce((best, key) => (key < best ? key : best));
  };
}

function tuples(document: Document, paths: readonly string[][]): unknown[][] {
  try {
    return compositeKeys(document, paths);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(
      'BadValue',
      'Executor error during find command :: caused by :: cannot sort with keys that are parallel arrays',
    );
  }
}

function fieldKey(value: unknown, descending: boolean): string {
  const key = value === emptyArray ? emptyArrayKey : keyString(value);
  return descending ? inverted(key) : key;
}

/** `sortKeyOf` for raw documents. Decodes only the fields that the sort reads. */
export function rawSortKeyOf(sort: readonly SortField[]): (document: RawDocument) => string {
  const keyOf = sortKeyOf(sort);
  const fields = fieldSet(sort.map(({ path }) => topField(path)));
  return (document) => keyOf(decodeFields(document, fields));
}

/** The first `count` items in key order, after the pauses of all of them. The sort is stable. */
export function* takeSorted<T>(
  items: Iterable<T | Pause>,
  keyOf: (item: T) => string,
  count: number,
): Generator<T | Pause, void, void> {
  const keyed: { key: string; item: T }[] = [];
  const order = (a: { key: string }, b: { key: string }): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
  for (const item of items) {
    if (item === pause) {
      yield pause;
      continue;
    }
    keyed.push({ key: keyOf(item), item });
    if (keyed.length > 2 * count + 1000) {
      keyed.sort(order);
      keyed.length = count;
    }
  }
  for (const { item } of keyed.sort(order).slice(0, count)) yield item;
}
