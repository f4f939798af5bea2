import { CommandError } from '../errors/command-error';
import { decodePlain } from './document';
import type { Document, RawDocument } from './document';

/** The position of an element in a raw document, as offsets into the document's buffer. */
export interface RawElement {
  readonly type: number;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

const malformed = (): CommandError => new CommandError('InvalidBSON', 'The BSON document is malformed');

/** Calls `visit` for each top-level element until it returns false. */
export function scanElements(raw: Buffer, visit: (name: string, element: RawElement) => boolean | void): void {
  walk(raw, (start, valueStart, end) =>
    visit(raw.toString('latin1', start + 1, valueStart - 1), { type: raw[start] as number, start, valueStart, end }),
  );
}

/** `scanElements` without allocations per element, since opening the store walks every document. */
function walk(raw: Buffer, visit: (start: number, valueStart: number, end: number) => boolean | void): void {
  const last = raw.length - 1;
  let start = 4;
  while (start < last) {
    let nameEnd = start + 1;
    while (nameEnd < last && raw[nameEnd] !== 0) nameEnd += 1;
    if (nameEnd >= last) throw malformed();
    const valueStart = nameEnd + 1;
    const end = valueStart + valueSize(raw[start] as number, raw, valueStart);
    if (end > last) throw malformed();
    if (visit(start, valueStart, end) === false) return;
    start = end;
  }
}

/** The top-level element of this name. */
export function findElement(raw: Buffer, wanted: string): RawElement | undefined {
  const wantedBytes = latin1Name(wanted);
  let found: RawElement | undefined;
  scanElements(raw, (name, element) => {
    if (name !== wantedBytes) return true;
    found = element;
    return false;
  });
  return found;
}

/** The documents in an array, as bytes. Throws TypeMismatch on an element of another type. */
export function arrayDocuments(raw: Buffer, element: RawElement): RawDocument[] {
  const array = raw.subarray(element.valueStart, element.end);
  const documents: RawDocument[] = [];
  scanElements(array, (name, item) => {
    if (item.type !== 3) throw new CommandError('TypeMismatch', `Element ${name} of the array must be an object`);
    documents.push(array.subarray(item.valueStart, item.end));
  });
  return documents;
}

/** Names of fields, with their bytes in a raw document. */
export type FieldSet = readonly { readonly name: string; readonly bytes: Buffer }[];

export const fieldSet = (names: Iterable<string>): FieldSet =>
  [...new Set(names)].map((name) => ({ name, bytes: Buffer.from(name, 'utf8') }));

/** Decodes only these top-level fields, to plain values. */
export function decodeFields(raw: Buffer, fields: FieldSet): Document {
  const document: Document = {};
  let missing = fields.length;
  walk(raw, (start, valueStart, end) => {
    const field = fields.find(({ bytes }) => standsAt(raw, start + 1, valueStart - 1, bytes));
    if (field === undefined) return true;
    document[field.name] = decodeElement(raw, { type: raw[start] as number, start, valueStart, end });
    missing -= 1;
    return missing > 0;
  });
  return document;
}

function standsAt(raw: Buffer, start: number, end: number, bytes: Buffer): boolean {
  if (end - start !== bytes.length) return false;
  for (let i = 0; i < bytes.length; i += 1) if (raw[start + i] !== bytes[i]) return false;
  return true;
}

const latin1Name = (name: string): string => Buffer.from(name, 'utf8').toString('latin1');

/** The value of one element as a plain JavaScript value. */
export function decodeElement(raw: Buffer, { type, start, valueStart, end }: RawElement): unknown {
  switch (type) {
    case 0x01:
      return raw.readDoubleLE(valueStart);
    case 0x02:
      return raw.toString('utf8', valueStart + 4, end - 1);
    case 0x08:
      return raw[valueStart] === 1;
    case 0x09:
      return new Date(raw.readInt32LE(valueStart + 4) * 0x1_0000_0000 + raw.readUInt32LE(valueStart));
    case 0x0a:
      return null;
    case 0x10:
      return raw.readInt32LE(valueStart);
    default:
      return decodeAlone(raw, start, valueStart, end);
  }
}

function decodeAlone(raw: Buffer, start: number, valueStart: number, end: number): unknown {
  const size = 4 + 3 + (end - valueStart) + 1;
  const alone = Buffer.allocUnsafe(size);
  alone.writeInt32LE(size, 0);
  alone[4] = raw[start] as number;
  alone[5] = 0x76;
  alone[6] = 0;
  raw.copy(alone, 7, valueStart, end);
  alone[size - 1] = 0;
  return decodePlain(alone)['v'];
}

function valueSize(type: number, raw: Buffer, at: number): number {
  switch (type) {
    case 0x01:
    case 0x09:
    case 0x11:
    case 0x12:
      return 8;
    case 0x02:
    case 0x0d:
    case 0x0e:
      return 4 + lengthAt(raw, at, 1);
    case 0x03:
    case 0x04:
      return lengthAt(raw, at, 5);
    case 0x0f:
      return lengthAt(raw, at, 14);
    case 0x05:
      return 5 + lengthAt(raw, at, 0);
    case 0x06:
    case 0x0a:
    case 0x7f:
    case 0xff:
      return 0;
    case 0x07:
      return 12;
    case 0x08:
      return 1;
    case 0x0b:
      return regexSize(raw, at);
    case 0x0c:
      return 4 + lengthAt(raw, at, 1) + 12;
    case 0x10:
      return 4;
    case 0x13:
      return 16;
    default:
      throw malformed();
  }
}

function lengthAt(raw: Buffer, at: number, least: number): number {
  if (at + 4 > raw.length) throw malformed();
  const length = raw.readInt32LE(at);
  if (length < least) throw malformed();
  return length;
}

function regexSize(raw: Buffer, at: number): number {
  const sourceEnd = raw.indexOf(0, at);
  const optionsEnd = sourceEnd < 0 ? -1 : raw.indexOf(0, sourceEnd + 1);
  if (optionsEnd < 0) throw malformed();
  return optionsEnd + 1 - at;
}
