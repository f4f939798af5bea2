import BTree from 'sorted-btree';
import { bulkLoad } from 'sorted-btree/extended/bulkLoad';
import type { Document } from '../documents/document';
import { compositeKeys, emptyArray } from '../documents/composite-keys';
import { emptyArrayKey, inverted, keyString } from '../documents/key-string';
import { someAt, topField } from '../documents/paths';
import { createMatcher } from '../query/matcher';
import type { IndexSpec } from './index-spec';
import { rankOf } from './tree-rank';

export interface IndexField {
  readonly path: string;
  readonly descending: boolean;
}

/** A key and its record number. In an index that is not unique, the key ends with the record number. */
export type IndexEntry = readonly [key: string, recordId: number];

/** A sorted map from key strings to record numbers. */
export interface CollectionIndex {
  readonly spec: IndexSpec;
  readonly unique: boolean;
  readonly fields: readonly IndexField[];
  /** The top-level fields of a document that decide its keys. */
  readonly reads: ReadonlySet<string>;
  /** True once any document has had more than one key. */
  isMultikey(): boolean;
  /** The positions among `fields` for which some document had more than one value. */
  readonly multikeyFields: ReadonlySet<number>;
  /** The keys of a document of which at least `reads` is decoded. */
  keysOf(document: Document): string[];
  /** The record that already has one of these keys, when the index is unique. */
  holderOf(keys: readonly string[]): { readonly recordId: number; readonly key: string } | undefined;
  add(keys: readonly string[], recordId: number): void;
  /** Collects entries of an empty index for `build`, which sorts them once. This is much faster than `add`. */
  collect(keys: readonly string[], recordId: number): void;
  build(): void;
  remove(keys: readonly string[], recordId: number): void;
  /** Entries with keys in [low, high), in key order or its reverse. The index may change during the scan. */
  scan(low: string, high: string, reverse: boolean): Generator<IndexEntry, void, void>;
  /** The number of entries in [low, high). */
  count(low: string, high: string): number;
  readonly size: number;
}

/** A record number as fixed-length bytes, so that entries with equal keys stay distinct and in insertion order. */
function recordSuffix(recordId: number): string {
  const high = Math.floor(recordId / 0x1000000);
  const low = recordId % 0x1000000;
  return String.fromCharCode(high >> 16, (high >> 8) & 255, high & 255, low >> 16, (low >> 8) & 255, low & 255);
}

/** The library's default. */
const maxNodeSize = 32;

const byBytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function createCollectionIndex(spec: IndexSpec): CollectionIndex {
  const unique = spec.unique === true || spec.name === '_id_';
  const fields = Object.entries(spec.key).map(([path, direction]) => ({ path, descending: direction < 0 }));
  const parts = fields.map(({ path }) => path.split('.'));
  const partial = spec.partialFilterExpression && createMatcher(spec.partialFilterExpression);
  const reads = new Set(fields.map(({ path }) => topField(path)));
  for (const field of partial?.reads ?? []) reads.add(field);
  let tree = new BTree<string, number>(undefined, byBytes);
  let collected = { keys: [] as string[], recordIds: [] as number[] };
  const multikeyFields = new Set<number>();
  let multikey = false;
  let version = 0;

  // `join` makes a flat string. `+` would make a rope, which keeps both parts in memory until the first comparison.
  const entryOf = (key: string, recordId: number): string => (unique ? key : [key, recordSuffix(recordId)].join(''));

  const keyOfValue = (value: unknown, position: number): string => {
    const key = value === emptyArray ? emptyArrayKey : keyString(value);
    return fields[position]?.descending === true ? inverted(key) : key;
  };

  const hasAnyField = (document: Document): boolean =>
    parts.some((path) => someAt(document, path, true, (value) => value !== undefined));

  function keysOf(document: Document): string[] {
    if (partial && !partial.matches(document)) return [];
    if (spec.sparse === true && !hasAnyField(document)) return [];
    const tuples = compositeKeys(document, parts);
    const [first] = tuples;
    if (tuples.length === 1 && first) return [first.map(keyOfValue).join('')];
    const keys = tuples.map((values) => values.map(keyOfValue));
    fields.forEach((_, position) => {
      if (keys.some((key) => key[position] !== keys[0]?.[position])) multikeyFields.add(position);
    });
    return [...new Set(keys.map((key) => key.join('')))];
  }

  function* scan(low: string, high: string, reverse: boolean): Generator<IndexEntry, void, void> {
    let seen = version;
    let last: string | undefined;
    const begin = () => (reverse ? tree.entriesReversed(last ?? high, undefined, true) : tree.entries(last ?? low));
    let entries = begin();
    for (;;) {
      if (seen !== version) {
        seen = version;
        entries = begin();
      }
      const { value, done } = entries.next() as IteratorResult<[string, number], undefined>;
      if (done === true || value === undefined) return;
      const [key] = value;
      if (reverse ? key < low : key >= high) return;
      if (key === last) continue;
      last = key;
      yield value;
    }
  }

  return {
    spec,
    unique,
    fields,
    reads,
    isMultikey: () => multikey,
    multikeyFields,
    keysOf,
    holderOf(keys) {
      if (!unique) return undefined;
      for (const key of keys) {
        const recordId = tree.get(key);
        if (recordId !== undefined) return { recordId, key };
      }
      return undefined;
    },
    add(keys, recordId) {
      version += 1;
      if (keys.length > 1) multikey = true;
      for (const key of keys) tree.set(entryOf(key, recordId), recordId);
    },
    collect(keys, recordId) {
      if (keys.length > 1) multikey = true;
      for (const key of keys) {
        collected.keys.push(entryOf(key, recordId));
        collected.recordIds.push(recordId);
      }
    },
    build() {
      version += 1;
      tree = treeOf(collected.keys, collected.recordIds);
      collected = { keys: [], recordIds: [] };
    },
    remove(keys, recordId) {
      version += 1;
      for (const key of keys) tree.delete(entryOf(key, recordId));
    },
    scan,
    count: (low, high) => Math.max(0, rankOf(tree, high) - rankOf(tree, low)),
    get size() {
      return tree.size;
    },
  };
}

/** Builds a tree from unsorted keys. Only violations of uniqueness give equal keys; the last of them wins. */
function treeOf(keys: readonly string[], recordIds: readonly number[]): BTree<string, number> {
  const order = keys.map((_, i) => i).sort((a, b) => byBytes(keys[a] as string, keys[b] as string));
  const distinct = order.filter((at, i) => keys[at] !== keys[order[i + 1] as number]);
  return bulkLoad(
    distinct.map((at) => keys[at] as string),
    distinct.map((at) => recordIds[at] as number),
    maxNodeSize,
    byBytes,
  );
}

/** The upper bound of all keys with this prefix: no type tag and no record number begins with the byte 0xff. */
export const endOf = (prefix: string): string => `${prefix}\xff`;
