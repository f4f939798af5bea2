import { checkSize, checkWellFormed } from '../documents/check-document';
import { decodeTyped, encode } from '../documents/document';
import type { Document, RawDocument } from '../documents/document';
import { withLeadingId } from '../documents/document-id';
import { equalValues } from '../documents/key-string';
import { CommandError } from '../errors/command-error';
import type { Found } from '../query/search';
import type { Collection } from '../storage/collection';
import type { Update } from './update';
import { upsertedDocument } from './upsert';

export interface Modified {
  readonly document: RawDocument;
  readonly changed: boolean;
}

/** Applies an update to a stored document. Throws ImmutableField, E11000 or the update's error, and changes nothing. */
export function modifyRecord(collection: Collection, { recordId, document }: Found, update: Update): Modified {
  const before = decodeTyped(document);
  const id = before['_id'];
  const after = update.apply(before, false);
  if (!equalValues(id, after['_id'])) {
    throw new CommandError(
      'ImmutableField',
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
  }
  const next = stored(after);
  if (next.equals(document)) return { document, changed: false };
  collection.replace(recordId, next);
  return { document: next, changed: true };
}

/** Inserts the document of an upsert, made from its filter (with typed values) and its update. */
export function upsertRecord(
  collection: Collection,
  filter: Document,
  update: Update,
): { id: unknown; document: RawDocument } {
  const document = stored(upsertedDocument(filter, update));
  collection.insert(document);
  return { id: decodeTyped(document)['_id'], document };
}

function stored(document: Document): RawDocument {
  const raw = withLeadingId(encode(document));
  checkSize(raw);
  checkWellFormed(raw);
  return raw;
}
