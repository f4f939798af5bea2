import { deserialize, serialize } from 'bson';
import { CommandError } from '../errors/command-error';

/** A decoded document. */
export type Document = Record<string, unknown>;

/** A document as BSON bytes, which are immutable once stored. */
export type RawDocument = Buffer;

/**
 * Decodes to plain JavaScript values, for matching and aggregation. Int32 and Double become numbers. A Long does too if
 * a number holds it exactly.
 */
export function decodePlain(raw: Uint8Array): Document {
  return deserialize(raw, { promoteBuffers: false, validation: { utf8: false } });
}

/** Decodes with every BSON type kept (Int32, Double, Long, …), for updates that are written back. */
export function decodeTyped(raw: Uint8Array): Document {
  return deserialize(raw, {
    promoteValues: false,
    promoteLongs: false,
    promoteBuffers: false,
    bsonRegExp: true,
    validation: { utf8: false },
  });
}

/** Encodes to a new buffer. Throws BSONObjectTooLarge if the document exceeds the serializer's buffer of 17 MiB. */
export function encode(document: Document): RawDocument {
  try {
    const bytes = serialize(document, { ignoreUndefined: true });
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError('BSONObjectTooLarge', 'The document is larger than the maximum of 16777216 bytes');
  }
}

/** True for a document, false for a scalar, an array or an object of a BSON type. */
export function isDocument(value: unknown): value is Document {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
