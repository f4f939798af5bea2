import { ObjectId } from 'bson';
import { CommandError } from '../errors/command-error';
import { checkSize } from './check-document';
import { encode } from './document';
import type { RawDocument } from './document';
import { findElement } from './raw-elements';

const badIdTypes: ReadonlyMap<number, string> = new Map([
  [0x04, 'array'],
  [0x06, 'undefined'],
  [0x0b, 'regex'],
]);

/**
 * The document with `_id` as its first element; a document without one gets a new ObjectId. Throws BadValue if `_id` is
 * an array, undefined or a regex.
 */
export function withLeadingId(raw: RawDocument): RawDocument {
  checkSize(raw);
  const id = findElement(raw, '_id');
  const badType = id && badIdTypes.get(id.type);
  if (badType !== undefined) throw new CommandError('BadValue', `The '_id' value cannot be of type ${badType}`);
  if (!id) return joined([newId(), raw.subarray(4)]);
  if (id.start === 4) return raw;
  return joined([raw.subarray(id.start, id.end), raw.subarray(4, id.start), raw.subarray(id.end)]);
}

function newId(): Buffer {
  const document = encode({ _id: new ObjectId() });
  return document.subarray(4, document.length - 1);
}

function joined(elements: readonly Buffer[]): RawDocument {
  const document = Buffer.concat([Buffer.alloc(4), ...elements]);
  document.writeInt32LE(document.length, 0);
  return document;
}
