import BTree from 'sorted-btree';
import type { Document } from '../documents/document';
import { emptyArrayKey, inverted, keyString } from '../documents/key-string';
import { topField, valuesAt } from '../documents/paths';
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

const byBytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function createCollectionIndex(spec: IndexSpec): CollectionIndex {
  const unique = spec.unique === true || spec.name === '_id_';
  const fields = Object.entries(spec.key).map(([path, direction]) => ({ path, descending: direction < 0 }));
  const parts = fields.map(({ path }) => path.split('.'));
  const partial = spec.partialFilterExpression && createMatcher(spec.partialFilterExpression);
  const reads = new Set(fields.map(({ path }) => topField(path)));
  for (const field of partial?.reads ?? []) reads.add(field);
  const tree = new BTree<string, number>(undefined, byBytes);
  const multikeyFields = new Set<number>();
  let multikey = false;
  let version = 0;

  const entryOf = (key: string, recordId: number): string => (unique ? key : key + recordSuffix(recordId));

  function fieldKeys(document: Document, position: number): string[] {
    const values = valuesAt(document, parts[position] as string[]);
    if (values.length === 1 && !Array.isArray(values[0])) return [keyString(values[0])];
    const keys = new Set<string>();
    for (const value of values.length === 0 ? [undefined] : values) {
      if (!Array.isArray(value)) keys.add(keyString(value));
      else if (value.length === 0) keys.add(emptyArrayKey);
      else for (const item of value) keys.add(keyString(item));
    }
    return [...keys];
  }

  const hasAnyField = (document: Document): boolean =>
    parts.some((path) => valuesAt(document, path).some((value) => value !== undefined));

  function keysOf(document: Document): string[] {
    if (partial && !partial.matches(document)) return [];
    if (spec.sparse === true && !hasAnyField(document)) return [];
    let keys = [''];
    fields.forEach(({ descending }, position) => {
      const own = fieldKeys(document, position).map((key) => (descending ? inverted(key) : key));
      if (own.length > 1) multikeyFields.add(position);
      keys =
        own.length === 1
          ? keys.map((key) => key + (own[0] as string))
          : keys.flatMap((key) => own.map((next) => key + next));
    });
    return keys;
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

/** The upper bound of all keys that begin with the prefix: no type tag and no record number begins with this byte. */
export const endOf = (prefix: string): string => `${prefix}\xff`;
