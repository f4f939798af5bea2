import { CommandError } from '../errors/command-error';
import { encode } from '../documents/document';
import type { Document, RawDocument } from '../documents/document';
import { keyString } from '../documents/key-string';
import { decodeFields, fieldSet } from '../documents/raw-elements';
import { createCollectionIndex } from './collection-index';
import type { CollectionIndex } from './collection-index';
import { duplicateKey } from './duplicate-key';
import { idIndexSpec } from './index-spec';
import type { IndexSpec } from './index-spec';
import type { Journal } from './journal';

/** Documents by record number, in insertion order, and the indexes over them. Every method is atomic. */
export interface Collection {
  readonly id: number;
  readonly database: string;
  readonly name: string;
  readonly options: Document;
  readonly records: ReadonlyMap<number, RawDocument>;
  readonly indexes: ReadonlyMap<string, CollectionIndex>;
  readonly dataBytes: number;
  /** Stores a document that begins with its `_id`. Throws E11000. */
  insert(document: RawDocument): number;
  /** Fills an empty collection from the log: documents by the key strings of their ids. Does not check uniqueness. */
  load(documents: ReadonlyMap<string, RawDocument>, specs: Iterable<IndexSpec>): void;
  /** Throws E11000. */
  replace(recordId: number, document: RawDocument): void;
  remove(recordId: number): void;
  recordOf(id: unknown): number | undefined;
  /** Throws E11000 and adds nothing when the documents violate uniqueness. */
  addIndex(spec: IndexSpec): void;
  removeIndex(name: string): void;
}

export interface CollectionIdentity {
  readonly id: number;
  readonly database: string;
  readonly name: string;
  readonly options: Document;
}

export function createCollection(identity: CollectionIdentity, journal: Journal): Collection {
  const { id, database, name } = identity;
  const namespace = `${database}.${name}`;
  const records = new Map<number, RawDocument>();
  const idIndex = createCollectionIndex(idIndexSpec);
  const indexes = new Map<string, CollectionIndex>([[idIndexSpec.name, idIndex]]);
  let reads = fieldSet(['_id']);
  let lastRecordId = 0;
  let dataBytes = 0;

  const keyFields = (document: RawDocument): Document => decodeFields(document, reads);

  function refreshReads(): void {
    reads = fieldSet([...indexes.values()].flatMap((index) => [...index.reads]));
  }

  function checkUnique(index: CollectionIndex, keys: readonly string[], document: Document, own?: number): void {
    const holder = index.holderOf(keys);
    if (holder && holder.recordId !== own) throw duplicateKey(namespace, index, holder.key, document);
  }

  function insert(document: RawDocument): number {
    const fields = keyFields(document);
    const entries = [...indexes.values()].map((index) => {
      const keys = index.keysOf(fields);
      checkUnique(index, keys, fields);
      return { index, keys };
    });
    lastRecordId += 1;
    const stored = Buffer.from(document);
    records.set(lastRecordId, stored);
    dataBytes += stored.length;
    for (const { index, keys } of entries) index.add(keys, lastRecordId);
    const recordId = lastRecordId;
    journal.append({ kind: 'put', collection: id, document: stored }, () => {
      records.delete(recordId);
      dataBytes -= stored.length;
      for (const { index, keys } of entries) index.remove(keys, recordId);
    });
    return recordId;
  }

  function load(documents: ReadonlyMap<string, RawDocument>, specs: Iterable<IndexSpec>): void {
    const others = [...specs].map(createCollectionIndex);
    const fields = fieldSet(others.flatMap((index) => [...index.reads]));
    for (const [key, document] of documents) {
      lastRecordId += 1;
      records.set(lastRecordId, document);
      dataBytes += document.length;
      idIndex.collect([key], lastRecordId);
      if (others.length === 0) continue;
      const decoded = decodeFields(document, fields);
      for (const index of others) index.collect(index.keysOf(decoded), lastRecordId);
    }
    for (const index of [idIndex, ...others]) {
      index.build();
      indexes.set(index.spec.name, index);
    }
    refreshReads();
  }

  function replace(recordId: number, document: RawDocument): void {
    const previous = requireRecord(recordId);
    const [before, after] = [keyFields(previous), keyFields(document)];
    const changes: { index: CollectionIndex; old: string[]; next: string[] }[] = [];
    for (const index of indexes.values()) {
      const [old, next] = [index.keysOf(before), index.keysOf(after)];
      if (sameKeys(old, next)) continue;
      // Only a key that is new to this record can conflict with another record.
      checkUnique(
        index,
        next.filter((key) => !old.includes(key)),
        after,
        recordId,
      );
      changes.push({ index, old, next });
    }
    const stored = Buffer.from(document);
    records.set(recordId, stored);
    dataBytes += stored.length - previous.length;
    for (const { index, old, next } of changes) {
      index.remove(old, recordId);
      index.add(next, recordId);
    }
    journal.append({ kind: 'put', collection: id, document: stored }, () => {
      records.set(recordId, previous);
      dataBytes += previous.length - stored.length;
      for (const { index, old, next } of changes) {
        index.remove(next, recordId);
        index.add(old, recordId);
      }
    });
  }

  function remove(recordId: number): void {
    const previous = requireRecord(recordId);
    const fields = keyFields(previous);
    records.delete(recordId);
    dataBytes -= previous.length;
    const entries = [...indexes.values()].map((index) => ({ index, keys: index.keysOf(fields) }));
    for (const { index, keys } of entries) index.remove(keys, recordId);
    journal.append({ kind: 'remove', collection: id, key: encode({ _id: fields['_id'] }) }, () => {
      records.set(recordId, previous);
      dataBytes += previous.length;
      for (const { index, keys } of entries) index.add(keys, recordId);
    });
  }

  function requireRecord(recordId: number): RawDocument {
    const record = records.get(recordId);
    if (!record) throw new CommandError('InternalError', `record ${recordId} of ${namespace} is gone`);
    return record;
  }

  function addIndex(spec: IndexSpec): void {
    const index = createCollectionIndex(spec);
    const fields = fieldSet(index.reads);
    for (const [recordId, document] of records) {
      const decoded = decodeFields(document, fields);
      const keys = index.keysOf(decoded);
      checkUnique(index, keys, decoded);
      index.add(keys, recordId);
    }
    indexes.set(spec.name, index);
    refreshReads();
    journal.append({ kind: 'createIndex', collection: id, about: { ...spec } }, () => {
      indexes.delete(spec.name);
      refreshReads();
    });
  }

  return {
    ...identity,
    records,
    indexes,
    get dataBytes() {
      return dataBytes;
    },
    insert,
    load,
    replace,
    remove,
    recordOf: (documentId) => idIndex.holderOf([keyString(documentId)])?.recordId,
    addIndex,
    removeIndex(indexName) {
      const index = indexes.get(indexName);
      indexes.delete(indexName);
      refreshReads();
      journal.append({ kind: 'dropIndex', collection: id, about: { name: indexName } }, () => {
        if (index) indexes.set(indexName, index);
        refreshReads();
      });
    },
  };
}

const sameKeys = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key, i) => key === b[i]);
