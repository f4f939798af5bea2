import type { Document } from '../documents/document';
import { decodeFields, fieldSet } from '../documents/raw-elements';
import type { RawDocument } from '../documents/document';
import type { Catalog } from './catalog';
import type { Collection } from './collection';
import type { IndexSpec } from './index-spec';
import type { JournalEntry } from './journal';

const idField = fieldSet(['_id']);

/** Makes a logged change again. Throws when it does not fit what came before. */
export function replayEntry(catalog: Catalog, entry: JournalEntry): void {
  if (entry.kind === 'create') {
    const { database, name, options } = entry.about;
    catalog.create(String(database), String(name), options as Document, entry.collection);
    return;
  }
  const collection = catalog.byId(entry.collection);
  if (!collection) throw new Error(`The data log names a collection ${entry.collection} that does not exist`);
  switch (entry.kind) {
    case 'put':
      return putDocument(collection, entry.document);
    case 'remove':
      return removeDocument(collection, entry.key);
    case 'drop':
      return catalog.drop(collection);
    case 'createIndex':
      return collection.addIndex(entry.about as unknown as IndexSpec);
    case 'dropIndex':
      return collection.removeIndex(String(entry.about['name']));
  }
}

const recordOf = (collection: Collection, document: RawDocument): number | undefined =>
  collection.recordOf(decodeFields(document, idField)['_id']);

function putDocument(collection: Collection, document: RawDocument): void {
  const recordId = recordOf(collection, document);
  if (recordId === undefined) collection.insert(document);
  else collection.replace(recordId, document);
}

function removeDocument(collection: Collection, key: RawDocument): void {
  const recordId = recordOf(collection, key);
  if (recordId !== undefined) collection.remove(recordId);
}
