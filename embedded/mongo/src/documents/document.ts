import { deserialize, serialize } from 'bson';
import { CommandError } from '../errors/command-error';

/** A decoded document. */
export type Document = Record<string, unknown>;

/** A document as its BSON bytes; never changed once stored. */
export type RawDocument = Buffer;

/** The document as plain JavaScript values: numbers for all numeric types that fit. For matching and aggregation. */
export function decodePlain(raw: Uint8Array): Document {
  return deserialize(raw, { promoteBuffers: false, validation: { utf8: false } });
}

/** The document with every BSON type kept (Int32, Double, Long, …). For changing and writing back. */
export function decodeTyped(raw: Uint8Array): Document {
  return deserialize(raw, {
    promoteValues: false,
    promoteLongs: false,
    promoteBuffers: false,
    bsonRegExp: true,
    validation: { utf8: false },
  });
}

/** BSON bytes of a document, in a buffer of its own. Throws BSONObjectTooLarge when it is far over 16 MB. */
export function encode(document: Document): RawDocument {
  try {
    const bytes = serialize(document, { ignoreUndefined: true });
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError('BSONObjectTooLarge', 'The document is larger than the maximum of 16777216 bytes');
  }
}

/** Is this an embedded document, as opposed to a scalar, an array or a BSON type object? */
export function isDocument(value: unknown): value is Document {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
