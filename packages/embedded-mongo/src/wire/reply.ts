import { encode } from '../documents/document';
import type { Document, RawDocument } from '../documents/document';

/** The response of a command: a document, or the parts of its BSON bytes. */
export type Reply = Document | readonly Buffer[];

const endByte = Buffer.from([0]);

/** Adds an element to a document. Its value is given as raw parts, which are not copied. */
export function withElement(base: Document, type: 0x03 | 0x04, name: string, value: readonly Buffer[]): Buffer[] {
  const start = encode(base);
  const heading = Buffer.from(`${String.fromCharCode(type)}${name}\0`, 'latin1');
  const parts = [start.subarray(0, start.length - 1), heading, ...value, endByte];
  start.writeInt32LE(
    parts.reduce((sum, part) => sum + part.length, 0),
    0,
  );
  return parts;
}

/** A BSON array of documents, as parts. */
export function arrayOf(documents: readonly RawDocument[]): Buffer[] {
  const parts: Buffer[] = [Buffer.alloc(4)];
  let size = 5;
  documents.forEach((document, position) => {
    const heading = Buffer.from(`\x03${position}\0`, 'latin1');
    parts.push(heading, document);
    size += heading.length + document.length;
  });
  (parts[0] as Buffer).writeInt32LE(size, 0);
  parts.push(endByte);
  return parts;
}

export const replyParts = (reply: Reply): readonly Buffer[] =>
  Array.isArray(reply) ? (reply as readonly Buffer[]) : [encode(reply as Document)];
