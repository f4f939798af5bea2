import { Decimal128, Double, Int32, Long } from 'bson';
import { tagOf, typeTags } from '../documents/type-tags';
import { CommandError } from '../errors/command-error';

/** A type that `$type` tests for, named by its number or alias. The alias `number` means any numeric type. */
export interface BsonType {
  readonly name: string;
  readonly isOf: (value: unknown) => boolean;
}

const hasTag =
  (tag: string) =>
  (value: unknown): boolean =>
    value !== undefined && tagOf(value) === tag;

const isInt32 = (value: unknown): boolean =>
  value instanceof Int32 ||
  (typeof value === 'number' && Number.isInteger(value) && value >= -0x80000000 && value <= 0x7fffffff);
const isLong = (value: unknown): boolean => Long.isLong(value) || (Number.isSafeInteger(value) && !isInt32(value));
const isDouble = (value: unknown): boolean =>
  value instanceof Double || (typeof value === 'number' && !isInt32(value) && !isLong(value));

/** The type of a plain number (see `decodePlain`) is guessed from its value; a typed value has its type. */
const types: readonly (readonly [number, string, (value: unknown) => boolean])[] = [
  [1, 'double', isDouble],
  [2, 'string', hasTag(typeTags.string)],
  [3, 'object', hasTag(typeTags.object)],
  [4, 'array', Array.isArray],
  [5, 'binData', hasTag(typeTags.binary)],
  [7, 'objectId', hasTag(typeTags.objectId)],
  [8, 'bool', (value) => typeof value === 'boolean'],
  [9, 'date', (value) => value instanceof Date],
  [10, 'null', (value) => value === null],
  [11, 'regex', hasTag(typeTags.regex)],
  [13, 'javascript', hasTag(typeTags.code)],
  [16, 'int', isInt32],
  [17, 'timestamp', hasTag(typeTags.timestamp)],
  [18, 'long', isLong],
  [19, 'decimal', (value) => value instanceof Decimal128],
  [-1, 'minKey', hasTag(typeTags.minKey)],
  [127, 'maxKey', hasTag(typeTags.maxKey)],
];

const anyNumber: BsonType = { name: 'number', isOf: hasTag(typeTags.number) };

/** Numeric types that only typed values (see `decodeTyped`) distinguish. */
export const numericTypes: ReadonlySet<string> = new Set(['double', 'int', 'long']);

/** Parses the operand of `$type`. Throws BadValue on an unknown type, and FailedToParse on an empty list. */
export function readTypes(operand: unknown): BsonType[] {
  const wanted = Array.isArray(operand) ? (operand as unknown[]) : [operand];
  if (wanted.length === 0) throw new CommandError('FailedToParse', '$type must match at least one type');
  return wanted.map((one) => {
    if (one === 'number') return anyNumber;
    const found = types.find(([code, name]) => one === code || one === name);
    if (found) return { name: found[1], isOf: found[2] };
    throw new CommandError('BadValue', `Unknown type name alias: ${String(one)}`);
  });
}
