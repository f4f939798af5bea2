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

/** A key, made unique by the record number where the index is not, and its record. */
export type IndexEntry = readonly [key: string, recordId: number];

/** A sorted set of key strings, each leading to the record that has it. */
export interface CollectionIndex {
  readonly spec: IndexSpec;
  readonly unique: boolean;
  readonly fields: readonly IndexField[];
  /** The top-level fields of a document that decide its keys. */
  readonly reads: ReadonlySet<string>;
  /** Has any document ever had more than one key? */
  isMultikey(): boolean;
  /** The positions among `fields` for which some document had more than one value. */
  readonly multikeyFields: ReadonlySet<number>;
  /** The keys of a document of which at least `reads` is decoded. */
  keysOf(document: Document): string[];
  /** The record that already has one of these keys, when the index is unique. */
  holderOf(keys: readonly string[]): { readonly recordId: number; readonly key: string } | undefined;
  add(keys: readonly string[], recordId: number): void;
  /** What `add` would add to an empty index waits for `build`, which takes all of it at once and is much faster. */
  collect(keys: readonly string[], recordId: number): void;
  build(): void;
  remove(keys: readonly string[], recordId: number): void;
  /** Entries with keys in [low, high), in key order or its reverse; goes on correctly when the index changes meanwhile. */
  scan(low: string, high: string, reverse: boolean): Generator<IndexEntry, void, void>;
  /** How many entries `scan` would come to. */
  count(low: string, high: string): number;
  readonly size: number;
}

/** Record numbers as fixed-length bytes, so that entries with equal keys stay apart and in insertion order. */
function recordSuffix(recordId: number): string {
  const high = Math.floor(recordId / 0x1000000);
  const low = recordId % 0x1000000;
  return String.fromCharCode(high >> 16, (high >> 8) & 255, high & 255, low >> 16, (low >> 8) & 255, low & 255);
}

/** The library's own choice for trees of strings. */
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

  // A joined string is in one piece from the start; a sum would keep its parts in memory until it is first compared.
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

/** A tree over keys in any order. Of equal ones, which documents that violate nothing do not have, the last counts. */
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

/** The upper bound of all keys that begin with the prefix: no type tag and no record number begins with this byte. */
export const endOf = (prefix: string): string => `${prefix}\xff`;
