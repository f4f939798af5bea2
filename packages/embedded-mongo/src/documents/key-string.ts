import { Decimal128, Long } from 'bson';
import { tagOf, typeTags } from './type-tags';

/**
 * Encodes a BSON value as a string of bytes. The string order of these keys is BSON's comparison order, so an index is
 * a sorted set of strings. Equal numbers of different types have equal keys. A compound key is a concatenation of keys.
 */
export function keyString(value: unknown): string {
  const tag = tagOf(value);
  return tag + bodyOf(tag, value);
}

/** The key of an empty array in an index. It sorts below null and equals the key of no other value. */
export const emptyArrayKey = typeTags.undefined;

/** The key with each byte complemented, which reverses the order. For descending fields. */
export function inverted(key: string): string {
  const bytes = Buffer.from(key, 'latin1');
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = 255 - (bytes[i] as number);
  return bytes.toString('latin1');
}

/** Compares in BSON's comparison order; the result is negative, zero or positive. */
export function compareValues(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number' && left === right) return 0;
  const [a, b] = [keyString(left), keyString(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** True if the values are equal by MongoDB's rules: 1 equals 1.0, and the order of fields matters. */
export function equalValues(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left === 'string' && typeof right === 'string') return false;
  return keyString(left) === keyString(right);
}

const scratch = new DataView(new ArrayBuffer(8));

/** Sortable bytes of a double: the sign bit is set for positive numbers, all bits are inverted for negative ones. */
function doubleBytes(value: number): string {
  if (Number.isNaN(value)) return '\0\0\0\0\0\0\0\0';
  scratch.setFloat64(0, value === 0 ? 0 : value);
  const [high, low] = [scratch.getInt32(0), scratch.getInt32(4)];
  return value < 0 ? fourBytes(~high) + fourBytes(~low) : fourBytes(high | 0x80000000) + fourBytes(low);
}

const fourBytes = (bits: number): string =>
  String.fromCharCode(bits >>> 24, (bits >> 16) & 255, (bits >> 8) & 255, bits & 255);

const exact = '\x80\x00';

function numberBody(value: number): string {
  return doubleBytes(value) + exact;
}

/** A 64-bit integer is at most 512 away from its nearest double. This distance orders integers with the same double. */
function longBody(value: bigint): string {
  const nearest = Number(value);
  const distance = Number(value - BigInt(nearest));
  if (distance === 0) return numberBody(nearest);
  const rest = 0x8000 + distance * 2;
  return doubleBytes(nearest) + String.fromCharCode(rest >> 8, rest & 0xff);
}

function decimalBody(value: Decimal128): string {
  const text = value.toString();
  const nearest = Number(text);
  if (!Number.isFinite(nearest) || significantDigits(text) === significantDigits(String(nearest)))
    return numberBody(nearest);
  return `${doubleBytes(nearest)}\x80\x01${text}\0`;
}

function significantDigits(text: string): string {
  const mantissa = text.toLowerCase().split('e')[0] ?? '';
  return mantissa.replace(/[-+.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
}

/** Terminates a string. A zero byte within a string is escaped, so that no key is a prefix of another. */
const stringEnd = '\0\x01';

// eslint-disable-next-line no-control-regex -- the terminator of a key is the control character 0
const plainAscii = /^[\x01-\x7f]*$/;

function stringBody(value: string): string {
  if (plainAscii.test(value)) return value + stringEnd;
  const bytes = Buffer.from(value, 'utf8').toString('latin1');
  return (bytes.includes('\0') ? bytes.replaceAll('\0', '\0\xff') : bytes) + stringEnd;
}

function bytesOf(value: { buffer: ArrayBufferLike; byteOffset: number; byteLength: number }): string {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
}

function binaryBody(bytes: Uint8Array, subtype: number): string {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.byteLength);
  return length.toString('latin1') + String.fromCharCode(subtype) + bytesOf(bytes);
}

function documentBody(value: object): string {
  let body = '';
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const tag = tagOf(item);
    body += tag + stringBody(name) + bodyOf(tag, item);
  }
  return `${body}\0`;
}

interface BsonValue {
  _bsontype?: string;
  valueOf(): unknown;
}

function numericBody(value: unknown): string {
  if (typeof value === 'number') return numberBody(value);
  if (typeof value === 'bigint') return longBody(value);
  if (value instanceof Decimal128) return decimalBody(value);
  if (Long.isLong(value)) return longBody(value.toBigInt());
  return numberBody(Number((value as BsonValue).valueOf()));
}

function bodyOf(tag: string, value: unknown): string {
  switch (tag) {
    case typeTags.number:
      return numericBody(value);
    case typeTags.string:
      return stringBody(String(value));
    case typeTags.object:
      return documentBody(value as object);
    case typeTags.array:
      return `${(value as unknown[]).map(keyString).join('')}\0`;
    case typeTags.binary: {
      if (value instanceof Uint8Array) return binaryBody(value, 0);
      const binary = value as { buffer: Uint8Array; sub_type: number; position: number };
      return binaryBody(binary.buffer.subarray(0, binary.position), binary.sub_type);
    }
    case typeTags.objectId:
      return bytesOf((value as { id: Uint8Array }).id);
    case typeTags.boolean:
      return value === true ? '\x02' : '\x01';
    case typeTags.date:
      return doubleBytes((value as Date).getTime());
    case typeTags.timestamp:
      return longBody((value as Long).toBigInt());
    case typeTags.regex: {
      const { source, pattern, flags, options } = value as Record<string, string | undefined>;
      return stringBody(source ?? pattern ?? '') + stringBody(flags ?? options ?? '');
    }
    case typeTags.code:
      return stringBody(String((value as { code: string }).code));
    default:
      return '';
  }
}
