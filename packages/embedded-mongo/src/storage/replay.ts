import type { Document, RawDocument } from '../documents/document';
import { keyString } from '../documents/key-string';
import { decodeFields, fieldSet } from '../documents/raw-elements';
import type { Catalog } from './catalog';
import type { IndexSpec } from './index-spec';
import type { JournalEntry } from './journal';

const idField = fieldSet(['_id']);
const pieceBytes = 64 * 1024;

interface Loading {
  readonly about: Document;
  /** By the key strings of their ids, in insertion order. */
  readonly documents: Map<string, RawDocument>;
  readonly specs: Map<string, IndexSpec>;
}

/** Replays the log into documents, then builds each index in one sort. */
export function createReplay(): {
  readonly apply: (entry: JournalEntry) => void;
  readonly finish: (catalog: Catalog) => void;
} {
  const collections = new Map<number, Loading>();
  const keep = createKeeper();

  function apply(entry: JournalEntry): void {
    if (entry.kind === 'create') {
      collections.set(entry.collection, { about: entry.about, documents: new Map(), specs: new Map() });
      return;
    }
    const collection = collections.get(entry.collection);
    if (!collection) throw new Error(`The data log names a collection ${entry.collection} that does not exist`);
    switch (entry.kind) {
      case 'put':
        // A copy, because the entry is part of a large read buffer that it would keep in memory.
        collection.documents.set(idKeyOf(entry.document), keep(entry.document));
        return;
      case 'remove':
        collection.documents.delete(idKeyOf(entry.key));
        return;
      case 'drop':
        collections.delete(entry.collection);
        return;
      case 'createIndex': {
        const spec = entry.about as unknown as IndexSpec;
        collection.specs.set(spec.name, spec);
        return;
      }
      case 'dropIndex':
        collection.specs.delete(String(entry.about['name']));
    }
  }

  return {
    apply,
    finish(catalog) {
      for (const [id, { about, documents, specs }] of collections) {
        const { database, name, options } = about;
        const collection = catalog.create(String(database), String(name), options as Document, id);
        collection.load(documents, specs.values());
        collections.delete(id);
      }
    },
  };
}

const idKeyOf = (document: RawDocument): string => keyString(decodeFields(document, idField)['_id']);

/**
 * Copies documents. Small ones share 64 KB buffers: fewer objects for the garbage collector, and one surviving document
 * keeps little memory alive.
 */
function createKeeper(): (document: RawDocument) => RawDocument {
  let piece = Buffer.alloc(0);
  let used = 0;
  return (document) => {
    if (document.length > pieceBytes / 8) return Buffer.from(document);
    if (used + document.length > piece.length) {
      piece = Buffer.allocUnsafeSlow(pieceBytes);
      used = 0;
    }
    const kept = piece.subarray(used, used + document.length);
    kept.set(document);
    used += document.length;
    return kept;
  };
}
