import { Decimal128, Double, Int32, Long } from 'bson';
import { CommandError } from '../errors/command-error';

type TypedNumber = Int32 | Long | Double;

/** A typed number, or undefined for any other value. Throws on Decimal128, whose arithmetic is not supported. */
export function asNumber(value: unknown): TypedNumber | undefined {
  if (value instanceof Int32 || value instanceof Double || Long.isLong(value)) return value;
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? new Int32(value) : new Double(value);
  if (value instanceof Decimal128)
    throw new CommandError('BadValue', 'Arithmetic on Decimal128 is not supported by this server');
  return undefined;
}

export const add = (a: TypedNumber, b: TypedNumber): TypedNumber =>
  combine(
    a,
    b,
    (x, y) => x + y,
    (x, y) => x + y,
  );

export const multiply = (a: TypedNumber, b: TypedNumber): TypedNumber =>
  combine(
    a,
    b,
    (x, y) => x * y,
    (x, y) => x * y,
  );

/** The result has the wider of both types. An Int32 that overflows becomes a Long. */
function combine(
  a: TypedNumber,
  b: TypedNumber,
  onDoubles: (x: number, y: number) => number,
  onIntegers: (x: bigint, y: bigint) => bigint,
): TypedNumber {
  if (a instanceof Double || b instanceof Double) return new Double(onDoubles(toDouble(a), toDouble(b)));
  const result = onIntegers(toBigInt(a), toBigInt(b));
  if (result !== BigInt.asIntN(64, result))
    throw new CommandError('BadValue', 'The result does not fit a 64-bit integer');
  const fits = result === BigInt.asIntN(32, result);
  return fits && a instanceof Int32 && b instanceof Int32 ? new Int32(Number(result)) : Long.fromBigInt(result);
}

const toDouble = (value: TypedNumber): number => (Long.isLong(value) ? value.toNumber() : value.value);
export const toBigInt = (value: Int32 | Long): bigint => (Long.isLong(value) ? value.toBigInt() : BigInt(value.value));
