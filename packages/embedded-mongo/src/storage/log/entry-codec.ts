import { crc32 } from 'node:zlib';
import { decodePlain, encode } from '../../documents/document';
import type { JournalEntry } from '../journal';

/** An entry has the length of its payload, the payload's checksum, a checksum of these two, and the payload. */
export const entryHeaderBytes = 12;
const payloadPrefixBytes = 5;

const kinds = ['put', 'remove', 'create', 'drop', 'createIndex', 'dropIndex'] as const;
const nothing = Buffer.alloc(0);

/** The bytes of an entry, in two parts so that the document is not copied. */
export function encodeEntry(entry: JournalEntry): [Buffer, Buffer] {
  const content = contentOf(entry);
  const head = Buffer.allocUnsafe(entryHeaderBytes + payloadPrefixBytes);
  head[entryHeaderBytes] = kinds.indexOf(entry.kind);
  head.writeUInt32LE(entry.collection, entryHeaderBytes + 1);
  head.writeUInt32LE(payloadPrefixBytes + content.length, 0);
  head.writeUInt32LE(crc32(content, crc32(head.subarray(entryHeaderBytes))), 4);
  head.writeUInt32LE(crc32(head.subarray(0, 8)), 8);
  return [head, content];
}

function contentOf(entry: JournalEntry): Buffer {
  switch (entry.kind) {
    case 'put':
      return entry.document;
    case 'remove':
      return entry.key;
    case 'drop':
      return nothing;
    case 'create':
    case 'createIndex':
    case 'dropIndex':
      return encode(entry.about);
  }
}

export interface EntryHeader {
  readonly payloadBytes: number;
  readonly checksum: number;
}

/** The header at that offset, or undefined when its own checksum is wrong. */
export function parseHeader(bytes: Buffer, at: number): EntryHeader | undefined {
  if (crc32(bytes.subarray(at, at + 8)) !== bytes.readUInt32LE(at + 8)) return undefined;
  return { payloadBytes: bytes.readUInt32LE(at), checksum: bytes.readUInt32LE(at + 4) };
}

/** The entry of a payload, or undefined when the payload is damaged. */
export function decodePayload(payload: Buffer, checksum: number): JournalEntry | undefined {
  const kind = kinds[payload[0] ?? kinds.length];
  if (!kind || payload.length < payloadPrefixBytes || crc32(payload) !== checksum) return undefined;
  const collection = payload.readUInt32LE(1);
  const content = payload.subarray(payloadPrefixBytes);
  if (kind === 'put') return { kind, collection, document: content };
  if (kind === 'remove') return { kind, collection, key: content };
  if (kind === 'drop') return { kind, collection };
  return { kind, collection, about: decodePlain(content) };
}
